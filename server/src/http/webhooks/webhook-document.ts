import { component, schemaAt } from '../openapi/components.ts';
import {
  type ErrorResponses,
  errorComponent,
  FORBIDDEN,
  MERGE_PATCH,
  NOT_FOUND,
  WITH_BODY,
} from '../openapi/error-responses.ts';
import { EVERY_RESPONSE } from '../openapi/headers.ts';
import { pathParameter } from '../openapi/parameters.ts';
import { success } from '../openapi/responses.ts';

/** What the descriptions of operations on webhook endpoints have in common. */

export const PATH = '/webhook-endpoints';
export const ENDPOINT_PATH = `${PATH}/{endpointId}`;

export const ENDPOINT_ID = pathParameter('endpointId', {
  component: 'EndpointId',
  description: 'The id of the endpoint.',
  schema: schemaAt('WebhookEndpointId'),
  example: 'whe_4fQ2n8Zk1bXw0aLr',
});

export const ENDPOINT_RESPONSE = success(
  'Endpoint',
  'The endpoint as it is now.',
  schemaAt('WebhookEndpoint'),
  {},
);

export const DELETED_ENDPOINT = component('responses', 'WebhookEndpointDeleted', {
  description: 'The endpoint is deleted.',
  headers: EVERY_RESPONSE,
});

/** The errors of an operation on one endpoint. */
export const ENDPOINT_ERRORS: ErrorResponses = {
  ...FORBIDDEN,
  404: { ...NOT_FOUND, description: 'There is no such webhook endpoint.' },
};

/** The errors of an operation on one endpoint with a body. */
export const ENDPOINT_BODY_ERRORS: ErrorResponses = { ...ENDPOINT_ERRORS, ...WITH_BODY };

const MEMBERS_TOO_LARGE = { ...WITH_BODY[413], description: 'The body is larger than 64 KiB.' };

export const CREATION_ERRORS: ErrorResponses = {
  ...FORBIDDEN,
  ...WITH_BODY,
  409: errorComponent('TooManyWebhookEndpoints', {
    description: 'The account has the maximum of endpoints.',
    codes: ['conflict'],
  }),
  413: MEMBERS_TOO_LARGE,
} as ErrorResponses;

export const UPDATE_ERRORS: ErrorResponses = {
  ...ENDPOINT_BODY_ERRORS,
  413: MEMBERS_TOO_LARGE,
  415: MERGE_PATCH[415],
} as ErrorResponses;
