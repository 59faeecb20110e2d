import { join } from 'node:path'

/** What `build.ts` makes, all of it replaced at once. */
export const DIST = join(import.meta.dirname, 'dist')

/** The pages as a browser gets them. */
export const SITE = join(DIST, 'site')

/** The towns that `GET /api/v1/towns` searches. */
export const TOWNS_FILE = join(DIST, 'towns.tsv')

/** Stands in the built index.html where each answer gets a nonce of its own. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'

/** Stands in the built index.html where the address of the map style goes, if one is set. */
export const MAP_STYLE_PLACEHOLDER = '__MAP_STYLE_URL__'
