import type { Count } from '../format.ts';

/** Words of the domain that several pages use. */
export const shared = {
  status: { available: 'Available', pending: 'Pending', sold: 'Sold' },
  alert: { low: 'Low', out: 'Out', oversold: 'Oversold', none: 'Enough' },
  order: {
    placed: 'Placed',
    approved: 'Approved',
    delivered: 'Delivered',
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
    petId: 'Id',
    name: 'Name',
    category: 'Category',
    status: 'Status',
    quantity: 'Quantity',
    reserved: 'Reserved',
    available: 'Available',
    alert: 'Alert',
    changed: 'Changed',
    reason: 'Reason',
    note: 'Note',
    reference: 'Reference',
    lowStockAt: 'Low at',
    restockAt: 'Enough at',
    sku: 'SKU',
    barcodes: 'Barcodes',
  },
  codes: {
    placeholder: 'Scan or type a barcode',
    add: 'Add',
    remove: (code: string) => `Remove the barcode ${code}`,
    full: (most: string) => `A pet has at most ${most} barcodes.`,
    same: (code: string) => `This pet already has the barcode ${code}.`,
    tooLong: (most: string) => `A barcode has at most ${most} characters.`,
    characters: 'A barcode has only letters without accents, digits, spaces and simple punctuation.',
    checkDigit: (digits: string, right: string) =>
      `With ${digits} digits the last one is a check digit, and it must be ${right}. Compare the number with the label.`,
    owned: {
      sku: (pet: string, code: string, isArchived: boolean) =>
        isArchived ? `The archived pet ${pet} has the SKU ${code}.` : `${pet} has the SKU ${code}.`,
      barcode: (pet: string, code: string, isArchived: boolean) =>
        isArchived ? `The archived pet ${pet} has the barcode ${code}.` : `${pet} has the barcode ${code}.`,
    },
    take: 'Take it from the archived pet',
  },
  asTable: 'Show as table',
  asChart: 'Show as chart',
  unnamed: (petId: string) => `Pet ${petId}`,
  noCategory: 'No category',
  pets: (count: Count) => (count.isOne ? `${count} pet` : `${count} pets`),
};
