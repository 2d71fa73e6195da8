import { z } from '@hono/zod-openapi';
import { ApiError } from '../../domain/errors.ts';
import { type Pet, petNotFound } from '../../domain/inventory.ts';
import type { InventoryStore } from '../../domain/store.ts';
import { errorComponent, FORBIDDEN, PET_NOT_FOUND } from '../openapi/error-responses.ts';
import { DEPRECATION_HEADERS } from '../openapi/headers.ts';
import { PET_ID } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import { PET_TEXTS, PetStatusSchema } from '../schemas/inventory.ts';
import { PetIdSchema } from '../schemas/values.ts';

const PetSchema = z
  .object({ petId: PetIdSchema, ...PET_TEXTS, status: PetStatusSchema })
  .openapi('Pet', { description: 'An animal of the shop, without its stock.' });

const SUNSET = {
  410: errorComponent('OperationSunset', {
    description: 'The operation is past its sunset.',
    codes: ['operation_sunset'],
    headers: DEPRECATION_HEADERS,
  }),
};

/** The deprecation and the sunset of the operation, in Unix milliseconds. */
export interface GetPetOptions {
  readonly deprecatedAtMs: number;
  readonly sunsetAtMs: number;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

interface Services {
  readonly store: Pick<InventoryStore, 'findPet'>;
}

function petJson({ petId, name, category, status }: Pet): string {
  return `{"petId":${petId},"name":${JSON.stringify(name)},"category":${JSON.stringify(category)},"status":"${status}"}`;
}

/**
 * The deprecated look-up of a pet. Each response has `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) with links to
 * their documentation. From the sunset on it is 410.
 */
export function getPet({
  deprecatedAtMs,
  sunsetAtMs,
  baseUrl,
}: GetPetOptions): OperationDefinition<Services> {
  // Beside /v1: a proxy may serve all paths below a prefix.
  const docsUrl = new URL('docs#getPet', baseUrl).href;
  return {
    route: {
      operationId: 'getPet',
      method: 'get',
      path: '/pets/{petId}',
      tags: ['Pets'],
      summary: 'Get a pet',
      description: 'Returns one pet without its stock. Deprecated: use `GET /inventory/{petId}` instead.',
      deprecated: true,
      'x-sunset': new Date(sunsetAtMs).toISOString().slice(0, 10),
      'x-response-headers': DEPRECATION_HEADERS,
      parameters: [PET_ID],
      responses: responses({
        success: { schema: PetSchema, description: 'The pet.', headers: DEPRECATION_HEADERS },
        errors: { ...FORBIDDEN, ...PET_NOT_FOUND, ...SUNSET },
      }),
    },
    scope: 'pets:read',
    headers: {
      Deprecation: `@${Math.floor(deprecatedAtMs / 1_000)}`,
      Sunset: new Date(sunsetAtMs).toUTCString(),
      Link: `<${docsUrl}>; rel="deprecation"; type="text/html", <${docsUrl}>; rel="sunset"; type="text/html"`,
    },
    create:
      ({ store }) =>
      async (context, parameter) => {
        if (context.nowMs >= sunsetAtMs) {
          throw new ApiError('operation_sunset', 'GET /pets/{petId} has ended. Use GET /inventory/{petId}.');
        }
        const petId = petIdParameter(parameter('petId'));
        const pet = await store.findPet(petId);
        if (!pet) throw petNotFound(petId);
        return context.respond(200, petJson(pet), {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'private, no-cache',
        });
      },
  };
}
