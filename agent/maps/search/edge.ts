import { metresBetween } from '@placefleet/shared/great-circle'
import { type Cell, centre, reachOf } from './cell.ts'

type Positioned = { readonly latitude?: number | undefined; readonly longitude?: number | undefined }

/** Watches a list of places for the point from which on it shows only what lies outside a cell. */
export type Edge = {
  /** Takes note of the next places of the list; those without a position say nothing. */
  note(places: readonly Positioned[]): void
  /** Whether the list has left the cell: the site lists what is in view first, and has nothing more to show of it. */
  left(): boolean
}

/** So many places in a row outside are no accident of the site's order: half a page. */
const IN_A_ROW = 10

/** The watch over a list that begins now. Without a cell it is never left. */
export function watchEdge(cell: Cell | undefined): Edge {
  const middle = cell && centre(cell)
  const reach = cell ? reachOf(cell) : Number.POSITIVE_INFINITY
  let outside = 0
  return {
    note(places) {
      for (const { latitude, longitude } of places) {
        if (!middle || latitude === undefined || longitude === undefined) continue
        outside = metresBetween(middle, { latitude, longitude }) > reach ? outside + 1 : 0
      }
    },
    left: () => outside >= IN_A_ROW,
  }
}
