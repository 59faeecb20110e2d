import type { Place, PlaceReference } from '@placefleet/shared/place'

/** Where a task's finds go. Both wait while too much is unacknowledged: that is the backpressure. */
export type Sink = {
  references(found: PlaceReference[]): Promise<void>
  place(place: Place): Promise<void>
}
