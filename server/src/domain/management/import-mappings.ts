import {
  mappingFault,
  mappingNameFault,
  type MappingValues,
  type NamedMapping,
} from '@petstore-inventory/shared/pet-file/mapping';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { OperatorError, validationFailed } from '../errors.ts';
import type { ActionAuthor } from './activity.ts';

/** How files of one source are read, remembered under a name. */
export interface ImportMapping extends NamedMapping {
  /** Who wrote it last. */
  readonly updatedBy: string;
  readonly updatedAtMs: number;
}

export interface WrittenMapping extends MappingValues {
  /** The new name of the mapping; `undefined`: it keeps its name. */
  readonly name?: string | undefined;
}

/** Mappings by their name, whose case does not matter. A refusal is an `OperatorError`. */
export interface ImportMappingStore {
  /** All of them, in the order of their names. */
  list(): Promise<readonly ImportMapping[]>;
  find(name: string): Promise<ImportMapping | undefined>;
  /** Makes a mapping, or replaces it. @throws OperatorError for a wrong one, for a taken name, or if there are too many. */
  set(name: string, mapping: WrittenMapping, author: ActionAuthor): Promise<ImportMapping>;
  /** @throws OperatorError `not_found`. */
  delete(name: string, author: ActionAuthor): Promise<void>;
}

/** @throws OperatorError `validation_failed`. */
export function requireMapping(mapping: NamedMapping): void {
  const nameFault = mappingNameFault(mapping.name);
  const fault =
    nameFault === undefined ? mappingFault(mapping) : `The name ${shownValue(mapping.name)} ${nameFault}`;
  if (fault !== undefined) throw validationFailed(fault);
}

export function unknownMapping(name: string): OperatorError {
  return new OperatorError(`There is no mapping ${shownValue(name)}.`, { code: 'not_found' });
}
