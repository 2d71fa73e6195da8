import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../../../web/src/api/api-error.ts';
import { LateCodeError } from '../../../../web/src/loading/late-code.ts';
import { de } from '../../../../web/src/texts/de.ts';
import { en } from '../../../../web/src/texts/en.ts';
import { errorText } from '../../../../web/src/texts/error-text.ts';
import { ERROR_STATUS } from '../../../src/domain/errors.ts';
import { CODE_OF_REFUSAL } from '../../../src/http/writes/conflict-response.ts';

const SOURCES = fileURLToPath(new URL('../../../../web/src/', import.meta.url));

test('each error code of the service has a text in each language', () => {
  // Rows of a batch have the codes of refusals.
  const codes = new Set([...Object.keys(ERROR_STATUS), ...Object.keys(CODE_OF_REFUSAL)]);
  for (const code of codes) {
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
  const invalid = new ApiError('validation_failed', 'name has at most 200 characters.', 400);
  assert.equal(errorText(invalid, en.errors), 'name has at most 200 characters.');
  assert.equal(
    german(invalid),
    'Ein Feld hat einen Wert, der nicht erlaubt ist. Meldung des Dienstes: „name has at most 200 characters.“',
  );
  const later = { code: 'code_of_a_later_service', message: 'The moon is full.' };
  assert.equal(german(later), 'Der Dienst hat es abgelehnt. Meldung des Dienstes: „The moon is full.“');
});

test('no other part of the dashboard shows a message of an error, or decides by one', () => {
  /** Texts and states that are named so; none is an error. */
  const allowed = /\b(?:toast|counting|imports|styles)\.message\b/g;
  const offences: string[] = [];
  for (const file of globSync('**/*.{ts,tsx}', { cwd: SOURCES })) {
    if (file.startsWith('docs/') || file === join('texts', 'error-text.ts')) continue;
    const lines = readFileSync(join(SOURCES, file), 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      const source = line.replaceAll(allowed, '');
      if (/\.message\b|\bString\((?:error|failure|cause|reason)\)/.test(source)) {
        offences.push(`${file}:${index + 1}: ${line.trim()}`);
      }
    }
  }
  assert.deepEqual(offences, []);
});
