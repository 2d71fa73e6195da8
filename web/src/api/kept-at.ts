/** The header of a list that the service worker has kept: when it was read. */
export const KEPT_AT = 'Petstore-Kept-At';
