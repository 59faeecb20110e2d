import { createOutbox } from '@placefleet/agent/fleet/outbox'
import { TaskEvent } from '@placefleet/proto/fleet'
import type { Place } from '@placefleet/shared/place'
import { MAX_MESSAGE_BYTES } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'

/** A place with this many reviews of about 10 KB. */
const placeWith = (n: number, reviews: number): Place => ({
  place_key: `0x${n.toString(16)}:0x1`,
  title: `Place ${n}`,
  user_reviews_extended: Array.from({ length: reviews }, (_, id) => ({ id: `${id}`, text: 'x'.repeat(10_000) })),
})

/** Hands places over, and gives the events that carry them, each acknowledged as it is sent. */
async function eventsFor(places: Place[]): Promise<TaskEvent[]> {
  const outbox = createOutbox(new AbortController().signal)
  for (const place of places) await outbox.add({ place })
  const events: TaskEvent[] = []
  for (let event = outbox.next(); event; event = outbox.next()) {
    events.push(event)
    outbox.acknowledge(event.sequence)
  }
  return events
}

const placesIn = ({ body }: TaskEvent) => (body?.$case === 'places' ? body.value.places : [])
const sizeOf = (event: TaskEvent) => TaskEvent.encode(event).finish().length

test('places with all their reviews are cut into events that fit into a message', async () => {
  const events = await eventsFor(Array.from({ length: 20 }, (_, n) => placeWith(n, 40)))

  expect(events.flatMap(placesIn)).toHaveLength(20)
  expect(Math.max(...events.map(sizeOf))).toBeLessThan(1_000_000)
})

test('small places go ten to an event', async () => {
  const events = await eventsFor(Array.from({ length: 25 }, (_, n) => placeWith(n, 0)))

  expect(events.map((event) => placesIn(event).length)).toEqual([10, 10, 5])
})

test('a place that no message holds loses the reviews listed last instead of breaking its stream for ever', async () => {
  const [event] = await eventsFor([placeWith(1, 500)])

  const [place] = event ? placesIn(event) : []
  expect(event && sizeOf(event)).toBeLessThan(MAX_MESSAGE_BYTES)
  expect(place?.user_reviews_extended).toHaveLength(250)
  expect(place?.user_reviews_extended[0]?.id).toBe('0')
})
