// Constants that the build of the base map's tiles and the page that draws them share.

/** The closest zoom with its own tiles. Closer zooms would show nothing more: the outlines are exact to 400 m. */
export const BASE_MAP_ZOOM = 4

/** The number of named towns at far zooms: the largest of the world. */
export const LARGE_TOWNS = 150
