import type { Count } from '../format.ts';
import { FIRST_WORDS } from '../first-words.ts';

const FIRST = FIRST_WORDS.en;

/** Words of the domain that several pages use. */
export const shared = {
  status: FIRST.status,
  alert: { ...FIRST.alert, none: 'Enough' },
  order: {
    placed: 'Placed',
    expiring: 'Expires soon',
    approved: 'Approved',
    partly_delivered: 'Partly delivered',
    delivered: 'Delivered',
    partly_returned: 'Partly returned',
    returned: 'Returned',
    cancelled: 'Cancelled',
    expired: 'Expired',
  },
  reason: {
    correction: 'Correction',
    cycle_count: 'Count',
    received: 'Received',
    restock: 'Restock',
    returned: 'Returned',
    damaged: 'Damaged',
    shrinkage: 'Shrinkage',
    promotion: 'Promotion',
    sold: 'Sold',
    other: 'Other',
  },
  fields: {
    ...FIRST.fields,
    reason: 'Reason',
    note: 'Note',
    reference: 'Reference',
    lowStockAt: 'Low at',
    restockAt: 'Enough at',
    supplier: 'Supplier',
    barcodes: 'Barcodes',
  },
  codes: {
    placeholder: 'Scan or type a barcode',
    add: 'Add',
    addBarcode: 'Add this barcode',
    remove: (code: string) => `Remove the barcode ${code}`,
    full: (most: string) => `A pet has at most ${most} barcodes.`,
    same: (code: string) => `This pet already has the barcode ${code}.`,
    tooLong: (most: string) => `A barcode has at most ${most} characters.`,
    characters: 'A barcode has only letters without accents, digits, spaces and simple punctuation.',
    zeros: 'No article has a number of zeros.',
    checkDigit: (digits: string, right: string) =>
      `With ${digits} digits the last one is a check digit, and it must be ${right}. Compare the number with the label.`,
    owned: {
      sku: (pet: string, code: string, isArchived: boolean) =>
        isArchived ? `The archived pet ${pet} has the SKU ${code}.` : `${pet} has the SKU ${code}.`,
      barcode: (pet: string, code: string, isArchived: boolean) =>
        isArchived ? `The archived pet ${pet} has the barcode ${code}.` : `${pet} has the barcode ${code}.`,
    },
    take: 'Take it from the archived pet',
    unknown: (code: string) => `No pet has the code ${code}.`,
    addToPet: 'Add to a pet',
    newPet: 'New pet',
    addTitle: (code: string) => `Add ${code} to a pet`,
    pet: 'Pet',
    findPet: 'Search by name or id',
  },
  camera: {
    open: 'Scan with the camera',
    title: 'Scan a barcode',
    denied: 'The camera cannot be used. Allow it for this page, or type the code.',
    noReader: 'The barcode reader did not load. Check the connection, or type the code.',
    hint: 'Hold the barcode in front of the camera.',
  },
  asTable: 'Show as table',
  asChart: 'Show as chart',
  unnamed: FIRST.unnamed,
  inTheWay: {
    units: (quantity: string, result: string) => `${quantity} now, ${result} afterwards`,
    more: (pets: Count) => (pets.isOne ? 'and 1 more pet' : `and ${pets} more pets`),
  },
  noCategory: FIRST.noCategory,
  pets: (count: Count) => (count.isOne ? `${count} pet` : `${count} pets`),
};
