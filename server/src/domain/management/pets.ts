import type { PetStatus } from '../inventory.ts';
import type { AlertLevel, Thresholds } from '../ledger/alerts.ts';
import type { Preconditions, Stock } from '../ledger/stock.ts';
import type { ActionAuthor } from './activity.ts';
import type { ExportPart, ExportQuery } from './pet-export.ts';
import type { PetRowsPart } from './pet-rows.ts';
import type { PetTexts } from './pet-words.ts';

/** A pet with everything that the shop knows of it. Its state has the tag `stockTag`, also after another name. */
export interface ManagedPet extends PetTexts, Stock {
  readonly petId: bigint;
  readonly createdAtMs: number;
  /** `null`: not archived. */
  readonly archivedAtMs: number | null;
}

/** Whether archived pets are left out of a list, included, or alone in it. */
export const ARCHIVED_FILTERS = ['exclude', 'include', 'only'] as const;
export type ArchivedFilter = (typeof ARCHIVED_FILTERS)[number];

/** The last pet of a page. In a search pages are in the order of a word and petId. */
export interface PetPosition {
  readonly petId: bigint;
  readonly word?: string;
}

export interface PetQuery {
  /** Words, each the beginning of a word of the pet. A number also finds the pet with this petId, first. */
  readonly query?: string;
  readonly archived: ArchivedFilter;
  readonly status?: PetStatus;
  /** One of these alert levels. */
  readonly alertLevels?: readonly AlertLevel[];
  /** Exactly this category. */
  readonly category?: string;
  readonly after?: PetPosition;
  readonly limit: number;
}

/** A page may have fewer pets than its limit, or none, and not be the last. */
export interface PetPage {
  readonly pets: readonly ManagedPet[];
  readonly next?: PetPosition;
}

export interface NewPet extends PetTexts, Thresholds {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: PetStatus;
}

/** New values of a pet; an unset member keeps its value, `null` removes it. Without `lowStockAt` there is no `restockAt`. */
export type PetChanges = Partial<PetTexts & Thresholds>;

/**
 * The pets for the management API and the command line. Each change of a pet is a movement of the kind `import`, so that
 * its tag changes; an edit without a change is none.
 * @throws OperatorError with the code `not_found`, `conflict`, `validation_failed` or `precondition_failed`.
 */
export interface PetStore {
  list(query: PetQuery): Promise<PetPage>;
  /** How many pets there are, archived ones too. */
  count(): Promise<number>;
  find(petId: bigint): Promise<ManagedPet>;
  /** Those pets that exist, of one moment, in this order. */
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
  restore(petId: bigint, author: ActionAuthor): Promise<ManagedPet>;
  /** A part of a file of all pets, as text. Parts with the same `sequence` fit together. */
  exportPart(query: ExportQuery): Promise<ExportPart>;
  /** A part of all pets after one, archived ones too, as lines. */
  rowsPart(after?: bigint): Promise<PetRowsPart>;
}
