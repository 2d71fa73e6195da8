import type { Density, ViewList } from '@petstore-inventory/shared/words';

/** What a person shows of a list, under a name. */
export interface SavedView {
  readonly name: string;
  readonly list: ViewList;
  /** Search, filters and order, as in the address of the list. */
  readonly query: string;
  /** `null`: as the browser has it. */
  readonly density: Density | null;
  /** Whether the list opens with it. */
  readonly isDefault: boolean;
}

/** All views of a person. */
export interface SavedViews {
  readonly views: readonly SavedView[];
  /** Names the views and the change that made them. After a restored backup the number of a change repeats. */
  readonly tag: string;
}

/** Views of persons, each of whom is a management key or one that replaced it by rotation. */
export interface SavedViewStore {
  read(keyId: string): Promise<SavedViews>;
  /**
   * Replaces all views of a person.
   * @param ifMatch The tags that may be replaced; `*` and `undefined`: any.
   * @throws OperatorError `precondition_failed` where the tag is another one.
   */
  replace(keyId: string, views: readonly SavedView[], ifMatch?: readonly string[] | '*'): Promise<SavedViews>;
}
