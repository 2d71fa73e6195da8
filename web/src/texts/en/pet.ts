export const pet = {};
