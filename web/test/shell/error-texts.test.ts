import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  IMPORT_ERROR_CODES,
  type ImportErrorTexts,
  importProblem,
} from '@petstore-inventory/shared/pet-file/import-problems';
import { DELIVERY_ERRORS, type DeliveryErrorCode, FAULT_KINDS } from '@petstore-inventory/shared/words';
import { ERROR_STATUS } from '../../../server/src/domain/errors.ts';
import { IMPORT_FAILURES } from '../../../server/src/domain/management/imports.ts';
import { CODE_OF_REFUSAL } from '../../../server/src/http/writes/conflict-response.ts';
import { ApiError } from '../../src/api/api-error.ts';
import { LateCodeError } from '../../src/loading/late-code.ts';
import { attemptText } from '../../src/texts/attempt-text.ts';
import { OPERATIONS } from '../../src/texts/conflicting-operations.ts';
import { de } from '../../src/texts/de.ts';
import { en } from '../../src/texts/en.ts';
import { errorText } from '../../src/texts/error-text.ts';
import { createFormat } from '../../src/texts/format.ts';
import { importErrorText } from '../../src/texts/import-error-text.ts';
import { isolateTexts } from '../../src/texts/isolate.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

test('each error code of the service has a text in each language', () => {
  for (const code of Object.keys(ERROR_STATUS)) {
    for (const [language, { errors }] of Object.entries({ en, de })) {
      assert.ok(Object.hasOwn(errors.codes, code), `${language} has no text for ${code}`);
    }
  }
  for (const code of Object.keys(en.errors.codes) as (keyof typeof en.errors.codes)[]) {
    assert.notEqual(de.errors.codes[code], en.errors.codes[code], `${code} is translated`);
  }
});

test('an error is described by its code, and details of the service are marked as such', () => {
  const german = (error: unknown) => errorText(error, de.errors);
  assert.equal(
    german(new ApiError('offline', 'The service cannot be reached.', 0)),
    'Der Dienst ist nicht erreichbar.',
  );
  assert.equal(german(new LateCodeError('…')), de.errors.codes.not_loaded);
  assert.equal(german(new TypeError('x is undefined')), de.errors.codes.unexpected);
  assert.equal(german(undefined), de.errors.codes.unexpected);
  const tooFew = new ApiError('insufficient_stock', 'Pet 2 has 8 units.', 409);
  assert.equal(errorText(tooFew, en.errors), 'Pet 2 has 8 units.');
  const invalid = new ApiError('validation_failed', 'name has at most 200 characters.', 400);
  assert.equal(errorText(invalid, en.errors), 'name has at most 200 characters.');
  assert.equal(
    german(invalid),
    'Ein Feld hat einen Wert, der nicht erlaubt ist. Meldung des Dienstes: „name has at most 200 characters.“',
  );
  const full = new ApiError('service_unavailable', 'The disk is full; nothing was changed.', 503);
  assert.equal(errorText(full, en.errors), 'The disk is full; nothing was changed.');
  assert.equal(
    german(full),
    'Der Dienst kann das jetzt nicht tun. Versuche es gleich noch einmal. Meldung des Dienstes: „The disk is full; nothing was changed.“',
  );
  const later = { code: 'code_of_a_later_service', message: 'The moon is full.' };
  assert.equal(german(later), 'Der Dienst hat es abgelehnt. Meldung des Dienstes: „The moon is full.“');
});

test('what the headers of a refusal say is German words, and nothing English is quoted then', () => {
  const german = (code: string, headers: Record<string, string>) =>
    errorText(
      new ApiError(code, 'Key till has the role viewer; this needs staff.', 409, new Headers(headers)),
      de.errors,
    );
  const challenge = (scope: string) => ({
    'WWW-Authenticate': `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`,
  });
  assert.equal(
    german('insufficient_scope', challenge('staff')),
    'Deine Rolle erlaubt das nicht. Dafür braucht es die Rolle Mitarbeiter.',
  );
  const link = '</admin/v1/inventory/-5/movements?order=desc>; rel="version-history"';
  assert.equal(
    german('insufficient_stock', { Link: link, 'Inventory-Quantity': '4' }),
    `${de.errors.codes.insufficient_stock} Tier -5 hat 4\u00A0Stück.`,
  );
  for (const [code, headers] of [
    ['insufficient_scope', challenge('orders:write')],
    ['insufficient_scope', {}],
    ['insufficient_stock', { 'Inventory-Quantity': '4' }],
    ['insufficient_stock', { Link: link }],
    ['code_in_use', { Link: link, 'Inventory-Quantity': '4' }],
  ] as const)
    assert.match(german(code, headers), /Meldung des Dienstes: „Key till/);
  const few = new ApiError('insufficient_scope', 'This needs staff.', 403, new Headers(challenge('staff')));
  assert.equal(errorText(few, en.errors), 'This needs staff.');
});

/** Operations with 409 whose conflicts no page sends, or describes itself, or that have other codes of this status. */
const OTHERWISE = [
  'createKey createAdminKey createSession setThresholds updatePet',
  'pruneLedger batchInventory',
  'placeOrder approveOrder cancelOrder expireOrder setInventoryStatus',
].join(' ');

/** Why a revert is a conflict, and what the words about it must have. */
const REVERT_CONFLICTS = {
  too_much_stock: /größte Menge/,
  nothing_to_revert: /bliebe gleich/,
  already_reverted: /ist es schon/,
  movement_of_order: /Bestellung/,
};

test('each conflict of an operation has German words, and no operation of the list has none', () => {
  const file = fileURLToPath(new URL('../../../admin-openapi.json', import.meta.url));
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; responses?: object }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => responses && Object.hasOwn(responses, '409'))
      .map(([method, { operationId = '' }]) => {
        return [`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '*')}`, operationId] as const;
      })
      .filter(([, id]) => !OTHERWISE.split(' ').includes(id)),
  );
  assert.deepEqual(OPERATIONS, Object.fromEntries(operations));
  for (const operation of Object.values(OPERATIONS)) assert.ok(de.errors.conflict(operation), operation);
});

test('the German words about an undo name each refusal of a revert', () => {
  const german = de.errors.conflict('revertMovement') ?? '';
  for (const [refusal, words] of Object.entries(REVERT_CONFLICTS)) assert.match(german, words, refusal);
  const conflicts = Object.entries(CODE_OF_REFUSAL).filter(([, code]) => code === 'conflict');
  // Without a condition on the quantity, a revert is not refused for it.
  const refusals = conflicts.map(([refusal]) => refusal).filter((refusal) => refusal !== 'conflict');
  assert.deepEqual(Object.keys(REVERT_CONFLICTS), refusals);
});

test('a conflict is described by its request in German, and by the service in English', () => {
  const conflict = new ApiError('conflict', 'Pet 5 was changed.', 409, new Headers(), 'DELETE /pets/5');
  assert.equal(errorText(conflict, de.errors), de.errors.conflict('deletePet'));
  assert.equal(errorText(conflict, en.errors), 'Pet 5 was changed.');
  for (const request of ['DELETE /pets/5/codes', 'PUT /pets/5', ''])
    assert.match(
      errorText(new ApiError('conflict', 'No.', 409, new Headers(), request), de.errors),
      /Meldung des Dienstes: „No\.“$/,
    );
});

test('each error of an import has a text in each language, with all values that the other one names', () => {
  // The type checker compares the values with those of the service.
  const languages: Readonly<Record<string, ImportErrorTexts>> = { en: en.importErrors, de: de.importErrors };
  const described = IMPORT_ERROR_CODES.map((code) =>
    Object.entries(languages).map(([language, texts]) => {
      assert.ok(Object.hasOwn(texts, code), `${language} has no text for ${code}`);
      const named = new Set<string>();
      const values = new Proxy(
        {},
        { get: (_target, name) => named.add(String(name)) && `<${String(name)}>` },
      );
      const text = (texts[code] as (values: object) => string)(values);
      return { text, named: [...named].toSorted() };
    }),
  );
  for (const [index, [english, german]] of described.entries()) {
    const code = String(IMPORT_ERROR_CODES[index]);
    assert.notEqual(german?.text, english?.text, `${code} is translated`);
    assert.deepEqual(german?.named, english?.named, code);
  }
  for (const { importErrors } of [en, de]) {
    assert.deepEqual(Object.keys(importErrors).toSorted(), IMPORT_ERROR_CODES.toSorted());
  }
  for (const { imports } of [en, de]) {
    assert.deepEqual(Object.keys(imports.failures).toSorted(), Object.keys(IMPORT_FAILURES).toSorted());
  }
});

test('an error of an import is described by its code and its values, with numbers of the language', () => {
  const german = createFormat('de-DE', 'jetzt');
  const text = (problem: Parameters<typeof importErrorText>[0]) => importErrorText(problem, de, german);
  assert.equal(
    text(importProblem('invalid_quantity', { value: '"-5"', minimum: -1_000, maximum: 2n ** 53n - 1n })),
    '"-5" ist keine ganze Zahl von −1.000 bis 9.007.199.254.740.991.',
  );
  assert.equal(
    text(importProblem('repeated_pet', { petId: 9007199254740993n, earlierLine: 1_200 })),
    '9007199254740993 steht schon in Zeile 1.200.',
  );
  assert.equal(
    text(importProblem('unknown_column', { columns: '"a"', more: 0, allowed: 'petId' })),
    'Unbekannte Spalte "a". Die Spalten sind petId.',
  );
  const later = { code: 'later_code', values: {}, message: 'it is too late.' };
  assert.equal(
    text(later as unknown as ReturnType<typeof importProblem>),
    'Der Dienst hat es abgelehnt. Meldung des Dienstes: „it is too late.“',
  );
  const turned = importErrorText(importProblem('not_a_text', { value: 'א' }), isolateTexts(en), german);
  assert.equal(turned, '\u2068א\u2069 is not a text.');
});

test('a failed delivery is described by its status or its code, in each language', () => {
  const success = {
    number: 1,
    eventId: '1.0',
    eventType: 'webhook.test',
    attempt: 1,
    attemptedAt: '',
    durationMs: 1,
  };
  const failed = (
    statusCode: number | null,
    errorCode: DeliveryErrorCode | null,
    errorDetail: string | null = null,
  ) => ({ ...success, statusCode, error: errorCode && '…', errorCode, errorDetail, response: null }) as const;
  const german = (...[statusCode, code, detail]: Parameters<typeof failed>) =>
    attemptText(failed(statusCode, code, detail), de);
  assert.equal(german(204, null), undefined);
  assert.equal(german(500, 'error_status'), 'Der Empfänger hat mit dem Status 500 geantwortet.');
  assert.equal(
    german(302, 'error_status'),
    'Der Empfänger leitet mit dem Status 302 um. Der Dienst folgt Umleitungen nicht.',
  );
  assert.equal(german(null, 'tls_failed', 'EPROTO'), 'Die TLS-Verbindung ist fehlgeschlagen (EPROTO).');
  assert.equal(german(null, 'connection_failed'), 'Die Verbindung ist fehlgeschlagen.');
  assert.equal(german(null, 'name_not_resolved', 'a.example'), 'Der Name a.example hat keine Adresse.');
  for (const code of DELIVERY_ERRORS.filter((each) => each !== 'error_status')) {
    const [english, translated] = [en, de].map((texts) => attemptText(failed(null, code, 'x'), texts));
    assert.ok(english && translated && !translated.includes('…'), `${code} has a text in each language`);
    assert.notEqual(english, translated, `${code} is translated`);
  }
  assert.equal(
    german(null, 'later_code' as DeliveryErrorCode),
    'Es gab keine brauchbare Antwort. Meldung des Dienstes: „…“',
  );
});

test('each kind of fault of a verification has a text in each language', () => {
  for (const kind of FAULT_KINDS) {
    assert.ok(en.system.faultKinds[kind] && de.system.faultKinds[kind], kind);
    assert.notEqual(en.system.faultKinds[kind], de.system.faultKinds[kind], `${kind} is translated`);
  }
});

test('no other part of the dashboard shows a message of an error, or decides by one', () => {
  /** Texts and states that are named so; none is an error. */
  const allowed = /\b(?:toast|counting|imports|styles)\.message\b/g;
  const described = ['error-text.ts', 'import-error-text.ts', 'attempt-text.ts'].map((file) =>
    join('texts', file),
  );
  const shown = [
    /\.message\b|\bString\((?:error|failure|cause|reason)\)/,
    // Sentences of the service in other members, and as cells of a table.
    /\(\{ (message|failure|error) \}\) => \1\b/,
    /\battempt\.error(?! [!=]== null)/,
    /\bfailure \?\?/,
  ];
  const offences: string[] = [];
  for (const file of globSync('**/*.{ts,tsx}', { cwd: SOURCES })) {
    if (file.startsWith('docs/') || described.includes(file)) continue;
    const lines = readFileSync(join(SOURCES, file), 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      const source = line.replaceAll(allowed, '');
      if (shown.some((pattern) => pattern.test(source))) {
        offences.push(`${file}:${index + 1}: ${line.trim()}`);
      }
    }
  }
  assert.deepEqual(offences, []);
});
