import { setImmediate } from 'node:timers/promises'
import { createOutbox } from '@placefleet/agent/fleet/outbox'
import { TaskEvent } from '@placefleet/proto/fleet'
import type { Place } from '@placefleet/shared/place'
import { decodePlace, MAX_PLACE_BYTES } from '@placefleet/shared/protocol'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { expect, test } from 'vitest'

/** Returns a place with this many reviews of about 10 KB. */
const placeWith = (n: number, reviews: number): Place => ({
  place_key: `0x${n.toString(16)}:0x1`,
  title: `Place ${n}`,
  user_reviews_extended: Array.from({ length: reviews }, (_, id) => ({ id: `${id}`, text: 'x'.repeat(10_000) })),
})

/** Returns an outbox that holds these places. */
async function holding(...places: Place[]) {
  const outbox = createOutbox(new AbortController().signal)
  for (const place of places) await outbox.add({ place })
  return outbox
}

/** Returns so many places without reviews. */
const small = (count: number) => Array.from({ length: count }, (_, n) => placeWith(n, 0))

/** Hands places over, and gives the events that carry them, each acknowledged as it is sent. */
async function eventsFor(places: Place[]): Promise<TaskEvent[]> {
  const outbox = await holding(...places)
  const events: TaskEvent[] = []
  for (let event = outbox.next(); event; event = outbox.next()) {
    events.push(event)
    outbox.acknowledge(event.sequence)
  }
  return events
}

const placesIn = ({ content }: TaskEvent) => (content?.$case === 'places' ? content.value.places : [])
const sizeOf = (event: TaskEvent) => TaskEvent.encode(event).finish().length

test('places with all their reviews are cut into events that fit into a message', async () => {
  const events = await eventsFor(Array.from({ length: 20 }, (_, n) => placeWith(n, 40)))
  expect(events.flatMap(placesIn)).toHaveLength(20)
  expect(Math.max(...events.map(sizeOf))).toBeLessThan(1_000_000)
})

test('an event tells the visits to websites up to its last place', async () => {
  const outbox = await holding()
  for (let n = 1; n <= 22; n++) {
    await outbox.add({ place: placeWith(n, 0), visits: { ...noWebsiteVisits(), ok: n } })
  }
  const told = [outbox.next(), outbox.next()].map((event) => event?.content)
  expect(told).toMatchObject([20, 22].map((ok) => ({ value: { website_visits: { ok } } })))
})

test('two events are under way at most; the next one follows an acknowledgement', async () => {
  const outbox = await holding(...small(45))
  const sequences = () => [outbox.next(), outbox.next(), outbox.next()].map((event) => event?.sequence)
  expect(sequences()).toEqual([1n, 2n, undefined])
  outbox.acknowledge(1n)
  expect(sequences()).toEqual([3n, undefined, undefined])
})

test('small places go twenty to an event, as a page of the search in fast mode', async () => {
  const events = await eventsFor(small(45))
  expect(events.map((event) => placesIn(event).length)).toEqual([20, 20, 5])
})

test('places wait for others, the first ones shortest, and are sent at once when an event is full or the task ends', async () => {
  const outbox = await holding()
  expect(outbox.due()).toBeUndefined()
  for (const place of small(19)) await outbox.add({ place })
  expect(outbox.due()).toBe('first')
  await outbox.add({ place: placeWith(9, 0) })
  expect(outbox.due()).toBe('now')
  outbox.next()
  expect(outbox.due()).toBeUndefined()
  await outbox.add({ place: placeWith(10, 0) })
  expect(outbox.due()).toBe('places')
  outbox.finish(DONE)
  expect(outbox.due()).toBe('now')
})

test('the first references are sent at once, so that collecting begins, and later ones wait for others', async () => {
  const outbox = await holding()
  await outbox.add({ references: [reference(1)] })
  expect(outbox.due()).toBe('now')
  outbox.next()
  await outbox.add({ references: [reference(2)] })
  expect(outbox.due()).toBe('references')
})

test('a place that is too large loses its last reviews instead of breaking its stream', async () => {
  const [event] = await eventsFor([placeWith(1, 500)])
  const [place] = event ? placesIn(event) : []
  expect(place?.length).toBeLessThan(MAX_PLACE_BYTES)
  const { user_reviews_extended: reviews } = decodePlace(place ?? Buffer.alloc(0))
  expect([reviews?.length, reviews?.[0]?.id]).toEqual([125, '0'])
})

const reference = (n: number) => ({ place_key: `0x${n.toString(16)}:0x1` })
const DONE = { $case: 'finished', value: { outcomes: undefined } } as const

test('a task that finished ends with its last places', async () => {
  const outbox = await holding(...small(21))
  outbox.finish(DONE)
  const [first, last] = [outbox.next(), outbox.next()]
  expect([first?.content?.$case, first?.end]).toEqual(['places', undefined])
  expect([last?.content?.$case, last?.end]).toEqual(['places', DONE])
  outbox.acknowledge(1n)
  expect([outbox.next(), outbox.delivered()]).toEqual([undefined, false])
  outbox.acknowledge(2n)
  expect(outbox.delivered()).toBe(true)
})

test('any other end of a task is sent last, and the task is delivered once everything is acknowledged', async () => {
  const outbox = await holding()
  await outbox.add({ references: [reference(1)] })
  outbox.finish({ $case: 'handed_back', value: {} })
  expect(outbox.delivered()).toBe(false)
  const events = [outbox.next(), outbox.next()]

  expect(events.map((event) => [event?.sequence, event?.content?.$case, event?.end?.$case])).toEqual([
    [1n, 'references', undefined],
    [2n, undefined, 'handed_back'],
  ])
  expect(outbox.next()).toBeUndefined()
  outbox.acknowledge(1n)
  expect(outbox.delivered()).toBe(false)
  outbox.acknowledge(2n)
  expect(outbox.delivered()).toBe(true)
  expect(outbox.next()).toBeUndefined()
})

test('a new stream resends exactly the unacknowledged events', async () => {
  const outbox = await holding()
  await outbox.add({ references: [reference(1)] })
  const first = outbox.next()
  await outbox.add({ references: [reference(2)] })
  const second = outbox.next()
  expect([first?.sequence, second?.sequence]).toEqual([1n, 2n])
  outbox.rewind(1n)

  expect(outbox.next()).toEqual(second)
  expect(outbox.next()).toBeUndefined()
})

test('collecting waits while too much is unacknowledged, and continues after an acknowledgement', async () => {
  const outbox = await holding()
  await outbox.add({ references: Array.from({ length: 60 }, (_, n) => reference(n)) })
  let added = false
  const adding = outbox.add({ references: [reference(60)] }).then(() => {
    added = true
  })
  const event = outbox.next()
  await setImmediate() // all that could go on has gone on
  expect(added).toBe(false)
  outbox.acknowledge(event?.sequence ?? 0n)

  await adding
  expect(added).toBe(true)
})

test('a searched cell is told with the event that its last place fills', async () => {
  const outbox = createOutbox(new AbortController().signal)
  for (let n = 0; n < 20; n++) await outbox.add({ place: placeWith(n, 0) })
  outbox.addCells([{ state: 'searched', places: 20, place_keys: [], look: 0 }])
  expect(outbox.next()?.cells?.cells).toHaveLength(1)
})

test('a searched cell is told with or after the last place that was found before it', async () => {
  const outbox = await holding(...small(30))
  outbox.addCells([{ state: 'searched', places: 30, place_keys: [], look: 0 }])
  for (const place of small(15)) await outbox.add({ place })
  outbox.finish({ $case: 'handed_back', value: {} })
  const told: (number | undefined)[] = []
  for (let event = outbox.next(); event; event = outbox.next()) {
    told.push(event.cells?.cells.length)
    outbox.acknowledge(event.sequence)
  }
  expect(told).toEqual([undefined, 1, undefined, undefined])
})
