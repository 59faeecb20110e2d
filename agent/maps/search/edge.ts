import { metresBetween } from '@placefleet/shared/great-circle'
import { type Cell, centre, reachOf } from './cell.ts'

type Positioned = { readonly latitude?: number | undefined; readonly longitude?: number | undefined }

/** Whether a place may lie in a cell: it is no farther from the middle than its corners, or its position is unknown. */
function mayBeInside(cell: Cell | undefined): (place: Positioned) => boolean {
  if (!cell) return () => true
  const [middle, reach] = [centre(cell), reachOf(cell)]
  return ({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined || metresBetween(middle, { latitude, longitude }) <= reach
}

/** How many of these places may lie in a cell; without one, all. */
export function countInside(cell: Cell | undefined, places: readonly Positioned[]): number {
  return places.filter(mayBeInside(cell)).length
}

/** Watches a list of places for the point from which on it shows only what lies outside a cell. */
export type Edge = {
  /** Takes note of the next places of the list. */
  note(places: readonly Positioned[]): void
  /** Whether the last forty places, two pages, all lie outside: the site has nothing more to show of the cell. */
  left(): boolean
}

const TWO_PAGES = 40

/** The watch over a list that begins now. Without a cell it is never left. */
export function watchEdge(cell: Cell | undefined): Edge {
  const isInside = mayBeInside(cell)
  let outside = 0
  return {
    note(places) {
      for (const place of places) outside = isInside(place) ? 0 : outside + 1
    },
    left: () => outside >= TWO_PAGES,
  }
}
