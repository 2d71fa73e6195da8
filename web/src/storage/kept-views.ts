/** The key of the last saved views that the service had, for a page without a connection. They end with the session. */
export const KEPT_VIEWS = 'petstore.saved-views';
