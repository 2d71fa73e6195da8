import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ImportEffect, ImportMode, PetStatus } from '@petstore-inventory/shared/words';
import type { PetValues } from '../../src/domain/management/imports.ts';

interface ModelPet extends PetValues {
  /** How many movements it has. */
  readonly version: number;
}

/** What a file does to each of its rows, and the versions of the pets that it was compared with. */
export interface ModelPlan {
  readonly effects: ReadonlyMap<bigint, ImportEffect>;
  readonly versions: ReadonlyMap<bigint, number | undefined>;
}

/** The specification of imports: pets with their values, one after the other. */
export class ImportModel {
  readonly #pets = new Map<bigint, ModelPet>();

  get movements(): number {
    return [...this.#pets.values()].reduce((sum, { version }) => sum + version, 0);
  }

  /** Quantity, status, name and supplier of each pet, by petId. */
  get stock(): readonly (readonly [bigint, number, PetStatus, string | null, string | null])[] {
    return [...this.#pets]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([petId, { quantity, status, name, supplier }]) => [petId, quantity, status, name, supplier]);
  }

  /** The rows of a file as they set quantities: those to add with what the pets have. */
  settingRows(rows: readonly PetRow[], mode: ImportMode): readonly PetRow[] {
    if (mode === 'set') return rows;
    return rows.map((row) => ({
      ...row,
      quantity: (this.#pets.get(row.petId)?.quantity ?? 0) + row.quantity,
    }));
  }

  plan(rows: readonly PetRow[]): ModelPlan {
    const versions = new Map(rows.map(({ petId }) => [petId, this.#pets.get(petId)?.version]));
    return { effects: new Map(rows.map((row) => [row.petId, this.#effectOf(row)])), versions };
  }

  /** The petIds whose pets changed after a plan. */
  staleRows({ versions }: ModelPlan): bigint[] {
    return [...versions]
      .filter(([petId, found]) => this.#pets.get(petId)?.version !== found)
      .map(([petId]) => petId);
  }

  apply(rows: readonly PetRow[]): void {
    for (const row of rows) {
      if (this.#effectOf(row) === 'unchanged') continue;
      const version = (this.#pets.get(row.petId)?.version ?? 0) + 1;
      this.#pets.set(row.petId, { ...this.#valuesAfter(row), version });
    }
  }

  #effectOf(row: PetRow): ImportEffect {
    const found = this.#pets.get(row.petId);
    if (found === undefined) return 'new';
    const { version: _version, ...before } = found;
    const after = this.#valuesAfter(row);
    const isSame = Object.entries(after).every(
      ([field, value]) => String(before[field as keyof PetValues]) === String(value),
    );
    return isSame ? 'unchanged' : 'changed';
  }

  /** A value that a row does not have stays. */
  #valuesAfter({ petId, name, category, quantity, status, thresholds, codes, supplier }: PetRow): PetValues {
    const found = this.#pets.get(petId);
    const { lowStockAt = null, restockAt = null } = thresholds ?? found ?? {};
    return {
      name: name ?? found?.name ?? null,
      category: category ?? found?.category ?? null,
      quantity,
      status: status ?? found?.status ?? 'available',
      lowStockAt,
      restockAt,
      sku: codes?.sku ?? found?.sku ?? null,
      barcodes: codes?.barcodes ?? found?.barcodes ?? [],
      supplier: supplier === undefined ? (found?.supplier ?? null) : supplier,
    };
  }
}
