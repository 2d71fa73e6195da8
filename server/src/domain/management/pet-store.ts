import type { Preconditions } from '../ledger/stock.ts';
import type { ActionAuthor } from './activity.ts';
import type { TakenCode } from './pet-codes.ts';
import type { ExportPage, ExportQuery } from './pet-export.ts';
import type { PetRowsPage } from './pet-rows.ts';
import type { ManagedPet, NewPet, PetChanges, PetPage, PetQuery } from './pets.ts';

export interface RestoredPet extends ManagedPet {
  readonly takenCodes: readonly TakenCode[];
}

/**
 * The pets for the management API and the command line. Each change of a pet is a movement of the kind `import`, so that
 * its tag changes, and its deletion is one that reverts its creation; an edit without a change is none.
 * @throws OperatorError with the code `not_found`, `conflict`, `code_in_use`, `validation_failed` or
 * `precondition_failed`.
 */
export interface PetStore {
  list(query: PetQuery): Promise<PetPage>;
  /** How many pets there are, archived ones too. */
  count(): Promise<number>;
  find(petId: bigint): Promise<ManagedPet>;
  /** The existing pets of `petIds` at one moment, in the order of `petIds`. */
  findAll(petIds: readonly bigint[]): Promise<readonly ManagedPet[]>;
  /** @throws OperatorError `conflict` for a petId that exists. */
  create(pet: NewPet, author: ActionAuthor): Promise<ManagedPet>;
  update(
    petId: bigint,
    changes: PetChanges,
    author: ActionAuthor,
    conditions?: Pick<Preconditions, 'ifMatch' | 'ifNoneMatch'>,
  ): Promise<ManagedPet>;
  /** Hides a pet from lists and search. @throws OperatorError `conflict` for a pet with stock or reservations. */
  archive(petId: bigint, author: ActionAuthor): Promise<ManagedPet>;
  /** Shows a pet again, without the codes that other pets took meanwhile. */
  restore(petId: bigint, author: ActionAuthor): Promise<RestoredPet>;
  /**
   * Deletes a pet that has no movement besides its creation. Its petId and its codes are free again.
   * @throws OperatorError `conflict` for any other pet.
   */
  delete(petId: bigint, author: ActionAuthor, note?: string): Promise<void>;
  /** A page of a file of all pets, as text. Pages with the same `sequence` fit together. */
  exportPage(query: ExportQuery): Promise<ExportPage>;
  /** A page of all pets after one, archived ones too, as lines. */
  rowsPage(after?: bigint): Promise<PetRowsPage>;
}
