import { OperatorError } from '../../domain/errors.ts';
import { codesOf, describeCode, keyText, type PetCodes } from '../../domain/management/pet-codes.ts';
import { type CodeChange, findCodeOwners, replaceCodes } from '../pets/pet-codes.ts';
import type { LockingClient } from '../sql-client.ts';
import type { ImportTables } from './import-engine.ts';
import { hasOtherCodes, movedCodes } from './plan-sql.ts';

const CHANGED_CODES = `SELECT CAST(incoming.pet_id AS text) AS "petId", pets.sku AS "skuBefore", pets.barcodes AS "barcodesBefore",
incoming.sku, incoming.barcodes FROM incoming JOIN pets ON pets.pet_id = incoming.pet_id
WHERE ${hasOtherCodes('incoming')} ORDER BY incoming.pet_id`;

interface ChangedCodesRow {
  readonly petId: string;
  readonly skuBefore: string | null;
  readonly barcodesBefore: string | null;
  readonly sku: string | null;
  readonly barcodes: string | null;
}

/** @throws CodeInUse where another pet has got one of the codes since the rows were matched. */
export async function writeCodes(client: LockingClient, tables: ImportTables): Promise<void> {
  const changes: CodeChange[] = [];
  await tables.read<ChangedCodesRow>(CHANGED_CODES, [], async (rows) => {
    for (const { petId, skuBefore, barcodesBefore, sku, barcodes } of rows) {
      const before: PetCodes = { sku: skuBefore, barcodes: barcodesOf(barcodesBefore) };
      const after = {
        sku: sku === '' ? null : (sku ?? skuBefore),
        barcodes: barcodes === null ? before.barcodes : barcodesOf(barcodes),
      };
      changes.push({ petId: BigInt(petId), before, after });
    }
  });
  if (changes.length === 0) return;
  const owners = await findCodeOwners(
    client,
    changes.flatMap(({ after }) => codesOf(after)),
  );
  for (const { petId, after } of changes) {
    for (const code of codesOf(after)) {
      const owner = owners.get(keyText(code))?.petId;
      if (owner !== undefined && owner !== petId) throw new CodeInUse(petId, code, owner);
    }
  }
  await replaceCodes(client, changes);
}

/** @throws CodeMoved if a code that names the pet of a row is no longer a code of that pet. */
export async function requireNamingCodes(client: LockingClient): Promise<void> {
  const [moved] = await client.all<{
    readonly petId: string;
    readonly kind: 'sku' | 'barcode';
    readonly code: string;
    readonly ownerId: string | null;
  }>(movedCodes(client.dialect));
  if (moved === undefined) return;
  const { petId, kind, code, ownerId } = moved;
  const shownCode = describeCode({ kind, typed: code });
  throw new CodeMoved(BigInt(petId), shownCode, ownerId === null ? undefined : BigInt(ownerId));
}

/** The code that names the pet of a row went to another pet, or away. */
export class CodeMoved extends OperatorError {
  /** The pet of the row. */
  readonly petId: bigint;
  readonly shownCode: string;

  constructor(petId: bigint, shownCode: string, ownerId: bigint | undefined) {
    const now = ownerId === undefined ? 'no pet has it now' : `it is of pet ${ownerId} now`;
    super(`The ${shownCode} of the file was of pet ${petId}, and ${now}. Nothing was imported; try again.`);
    this.petId = petId;
    this.shownCode = shownCode;
  }
}

function barcodesOf(stored: string | null): readonly string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

/** Another pet has got a code of a row. */
export class CodeInUse extends OperatorError {
  /** The pet of the row. */
  readonly petId: bigint;
  /** As messages show it. */
  readonly shownCode: string;
  readonly ownerId: bigint;

  constructor(petId: bigint, code: Parameters<typeof describeCode>[0], ownerId: bigint) {
    const shownCode = describeCode(code);
    super(
      `Pet ${ownerId} has the ${shownCode} now, which the file gives pet ${petId}. Nothing was imported.`,
      {
        code: 'code_in_use',
      },
    );
    this.petId = petId;
    this.shownCode = shownCode;
    this.ownerId = ownerId;
  }
}
