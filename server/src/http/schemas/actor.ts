import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { KEY_ID_PATTERN, text } from './values.ts';

export const keyId = (description: string) =>
  z.string().openapi({ pattern: KEY_ID_PATTERN, description, example: 'key_4fQ2n8Zk1bXw0aLr' }).nullable();

export const ActorSchema = z
  .object({
    keyId: keyId('The API key or management key; `null` for the operator and for the service.'),
    name: text(MAX_NAME, 'The name of the key; `cli` for the operator, `service` for the service.', 'till 2'),
  })
  .openapi('Actor', { description: 'The author of a movement, of an order or of an action.' });
