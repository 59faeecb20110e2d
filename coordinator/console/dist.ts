import { join } from 'node:path'

/** The output directory of `build.ts`, which replaces it as a whole. */
export const DIST = join(import.meta.dirname, 'dist')

/** The files that browsers load. */
export const SITE = join(DIST, 'site')

/** The script of the page at /docs. */
export const DOCS = join(DIST, 'docs')

/** The placeholder in the built index.html for the nonce of each response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'

/** The placeholder in the built index.html for the URL of the map style, if one is set. */
export const MAP_STYLE_PLACEHOLDER = '__MAP_STYLE_URL__'
