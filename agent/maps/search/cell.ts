import { type Cell, centre, type Positioned } from '@placefleet/shared/cell'
import { metresBetween } from '@placefleet/shared/great-circle'

/** Metres from the middle of a cell to its farthest corner. */
export function reachOf(cell: Cell): number {
  const middle = centre(cell)
  const corner = (latitude: number) => metresBetween(middle, { latitude, longitude: cell.west })
  return Math.max(corner(cell.south), corner(cell.north))
}

/** Returns whether a place may be in a cell: it is no farther from the middle than the corners, or has no position. */
function mayBeInside(cell: Cell | undefined): (place: Positioned) => boolean {
  if (!cell) return () => true
  const [middle, reach] = [centre(cell), reachOf(cell)]
  return ({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined || metresBetween(middle, { latitude, longitude }) <= reach
}

/** Counts the places that may be in a cell. Without a cell, all of them. */
export function countInside(cell: Cell | undefined, places: readonly Positioned[]): number {
  return places.filter(mayBeInside(cell)).length
}

const TWO_PAGES = 40

/** Watches whether a list of places has left a cell. Without a cell it never has. */
export function watchEdge(cell: Cell | undefined) {
  const isInside = mayBeInside(cell)
  let outside = 0
  return {
    note(places: readonly Positioned[]): void {
      for (const place of places) outside = isInside(place) ? 0 : outside + 1
    },
    /** Whether the last forty places, two pages, all lie outside: the list has no more places of the cell. */
    left: (): boolean => outside >= TWO_PAGES,
  }
}

/** The places that a search has listed, each once, and no more than `most`. */
export function createListed(most: number) {
  const keys = new Set<string>()
  return {
    count: (): number => keys.size,
    /** Adds places, and returns those that are new. Of several hits of a place the first counts. */
    add<Hit extends { readonly place: { readonly place_key: string } }>(hits: readonly Hit[]): Hit[] {
      return hits.filter(({ place: { place_key } }) => {
        const isNew = keys.size < most && !keys.has(place_key)
        if (isNew) keys.add(place_key)
        return isNew
      })
    },
  }
}
