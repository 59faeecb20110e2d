// What the build, which cuts the tiles of the base map, and the page, which draws them, agree on.

/** The closest zoom that has tiles of its own. Closer ones would show no more: the outlines are exact to 400 m. */
export const BASE_MAP_ZOOM = 4

/** From afar the map names only so many towns, the largest of the world. */
export const LARGE_TOWNS = 150
