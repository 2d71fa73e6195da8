export const count = {};
