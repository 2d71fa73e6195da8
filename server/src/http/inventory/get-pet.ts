import { ApiError } from '../../domain/errors.ts';
import { type Pet, petNotFound } from '../../domain/inventory.ts';
import type { InventoryStore } from '../../domain/store.ts';
import { PetIdParameter } from '../openapi/parameters.ts';
import { answers, FORBIDDEN } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import { PetSchema } from '../schemas/inventory.ts';

/** The life of a deprecated operation: since when it is deprecated, and from when on it is gone. */
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
 * The deprecated look-up of a pet. Each answer says so: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), with
 * links to what they mean; from the sunset on it is 410.
 */
export function getPet({
  deprecatedAtMs,
  sunsetAtMs,
  baseUrl,
}: GetPetOptions): OperationDefinition<Services> {
  const docsUrl = new URL('/docs#getPet', baseUrl).href;
  return {
    route: {
      operationId: 'getPet',
      method: 'get',
      path: '/pets/{petId}',
      tags: ['Pets'],
      summary: 'Get a pet',
      description: 'Returns one pet without its stock. Deprecated: read `GET /inventory/{petId}` instead.',
      deprecated: true,
      'x-sunset': new Date(sunsetAtMs).toISOString().slice(0, 10),
      request: { params: PetIdParameter },
      responses: answers({
        schema: PetSchema,
        description: 'The pet.',
        headersOfAll: {
          Deprecation: 'Since when the operation is deprecated: `@` and Unix seconds (RFC 9745).',
          Sunset: 'From when on it answers 410 (RFC 8594).',
          Link: 'Where the deprecation and the sunset are described.',
        },
        errors: {
          ...FORBIDDEN,
          404: { description: 'There is no such pet.' },
          410: { description: 'The operation is past its sunset.', codes: ['operation_sunset'] },
        },
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
          throw new ApiError('operation_sunset', 'GET /pets/{petId} has ended; read GET /inventory/{petId}.');
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
