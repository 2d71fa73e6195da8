/** With this setting a service sends to receivers of a test. */
export const LOCAL_RECEIVERS = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8' };
