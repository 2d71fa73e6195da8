import type { Count } from '../format.ts';

export const reorders = {
  table: 'What to order',
  facts: (pets: Count, units: string) =>
    pets.isOne ? `1 pet, ${units} units to order` : `${pets} pets, ${units} units to order`,
  states: { all: 'All', to_order: 'To order', ordered: 'Ordered' },
  state: 'Show',
  supplier: 'Supplier',
  anySupplier: 'All suppliers',
  noSupplier: 'No supplier',
  noSuppliers: 'Select pets to set their supplier',
  anyCategory: 'All categories',
  columns: {
    select: 'Select',
    pet: 'Pet',
    alert: 'Alert',
    available: 'Available',
    days: 'Days of stock',
    suggested: 'Order',
    ordered: 'Ordered',
    actions: 'Actions',
  },
  selectPet: (pet: string) => `Select ${pet}`,
  selectAll: 'Select all',
  unitsOf: (pet: string) => `Units to order of ${pet}`,
  toEnough: (units: string) => `${units} reach Enough`,
  outstanding: (units: string) => `${units} ordered`,
  /** After units of the order have arrived. */
  toCome: (units: string) => `${units} to come`,
  expected: (units: string, day: string) => `${units}, expected ${day}`,
  overdue: (text: string) => `${text} (overdue)`,
  arrived: (received: string, ordered: string) => `${received} of ${ordered} arrived`,
  mark: 'Mark as ordered',
  edit: 'Edit',
  markPet: (pet: string) => `Mark as ordered: ${pet}`,
  editPet: (pet: string) => `Edit the order of ${pet}`,
  markMany: (pets: Count) => (pets.isOne ? 'Mark 1 as ordered' : `Mark ${pets} as ordered`),
  selected: (pets: Count) => (pets.isOne ? '1 selected' : `${pets} selected`),
  clear: 'Clear selection',
  units: 'Units',
  unitsHint: 'What was ordered in all, with what has arrived of it.',
  manyUnits: (pets: Count, units: string) => `${units} units of ${pets} pets, as the table has them.`,
  expectedOn: 'Expected on',
  setSupplier: (pets: Count) => (pets.isOne ? 'Set the supplier' : `Set the supplier of ${pets} pets`),
  supplierSet: (pets: Count) =>
    pets.isOne ? 'The supplier of 1 pet is set' : `The supplier of ${pets} pets is set`,
  supplierRemoved: (pets: Count) =>
    pets.isOne ? 'The supplier of 1 pet is removed' : `The supplier of ${pets} pets is removed`,
  removeSupplier: 'Remove the supplier',
  removeSupplierOf: (pets: Count) =>
    pets.isOne ? 'Remove the supplier of 1 pet' : `Remove the supplier of ${pets} pets`,
  supplierHint: 'It stays with the pet.',
  asItIs: 'As each pet has it',
  invalidUnits: 'Enter a whole number, 1 or more.',
  invalidDay: 'Enter a day such as 3 December 2026, or leave it empty.',
  invalidOf: (pet: string) => `Enter a whole number, 1 or more, for ${pet}.`,
  save: 'Save',
  cancelOrder: 'Not ordered after all',
  /** The same, after units of the order have arrived. */
  endOrder: 'No more will come',
  marked: (pets: Count, units: string) =>
    pets.isOne ? `${units} units marked as ordered` : `${units} units of ${pets} pets marked as ordered`,
  markedPets: (pets: Count) => (pets.isOne ? '1 pet marked as ordered' : `${pets} pets marked as ordered`),
  saved: (pet: string) => `The order of ${pet} is changed`,
  cancelled: (pet: string) => `${pet} is not ordered any more`,
  nothing: 'nothing on its way',
  changedMeanwhile: (pet: string, now: string) =>
    `Somebody has ordered ${pet} meanwhile, or its units have arrived. Now: ${now}. Send again to replace it.`,
  empty: 'Nothing to order',
  emptyHint: 'No pet is low, and nothing is on its way.',
  noMatch: 'No pet matches these filters.',
  clearFilters: 'Clear filters',
  printed: (when: string) => `Order list, printed ${when}`,
  toBuy: 'Units',
  seeList: 'Reorder list',
  takeOutstanding: (units: Count) =>
    units.isOne ? 'The ordered unit arrived' : `All ${units} ordered units arrived`,
  receive: 'Receive',
  receivePet: (pet: string) => `Receive ${pet}`,
  receiveMany: (pets: Count) => (pets.isOne ? 'Receive 1 pet' : `Receive ${pets} pets`),
  arrivedPets: (pets: Count, units: string) =>
    `All ${units} ordered units of ${pets} pets arrived. If another number of a pet arrived, receive that pet by itself.`,
  receivedPets: (pets: Count) =>
    pets.isOne ? 'All units of 1 pet received' : `All units of ${pets} pets received`,
  changedOf: (done: string, all: string) => `Done: ${done} of ${all} pets`,
  arrivedUnits: 'Units that arrived',
  receivedUnits: (pet: string, units: Count) =>
    units.isOne ? `${pet}: 1 unit received` : `${pet}: ${units} units received`,
  arrivedOfMany: (pet: string, now: string) =>
    `The order of ${pet} has changed, or units of it have arrived. Now: ${now}. Send again to receive what is on its way.`,
  arrivedMeanwhile: (now: string) =>
    `The order has changed, or units of it have arrived. Now: ${now}. Send again to add these units too.`,
};
