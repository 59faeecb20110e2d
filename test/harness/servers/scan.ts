/**
 * Lets a test read, change or remove documents without an index of the product. The test server refuses all other plans
 * that read a whole collection, see `global-setup.ts`.
 */
export const SCAN = { hint: '_id_' } as const
