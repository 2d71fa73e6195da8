import { z } from '@hono/zod-openapi';
import { ALERT_LEVELS } from '@petstore-inventory/shared/words';
import { ALERTS } from '../../domain/ledger/alerts.ts';

/** A level that alerts. Without one, a pet has enough units. */
export const AlertLevelSchema = z.enum(ALERT_LEVELS).openapi('AlertLevel', {
  description:
    'What the available units call for: at most the threshold (`low`), none (`out`), or fewer than none (`oversold`).',
});

export const AlertSchema = z.enum(ALERTS).openapi('Alert', {
  description: 'A more severe level, or the end of all levels.',
});
