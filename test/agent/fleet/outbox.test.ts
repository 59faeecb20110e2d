import { createOutbox } from '@placefleet/agent/fleet/outbox'
import type { TaskEvent } from '@placefleet/proto/fleet'
import { noOutcomes } from '@placefleet/shared/outcome'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const place = (n: number) => ({ place: { place_key: `0x${n.toString(16)}:0x1`, title: `Place ${n}` } })
const finished = { $case: 'finished', value: { outcomes: noOutcomes() } } as const
const outbox = () => createOutbox(new AbortController().signal)

/** Everything that may be sent now. */
function drain(box: ReturnType<typeof outbox>): TaskEvent[] {
  const events: TaskEvent[] = []
  for (let event = box.next(); event; event = box.next()) events.push(event)
  return events
}

const titles = (events: TaskEvent[]): string[] =>
  events.flatMap(({ body }) => (body?.$case === 'places' ? body.value.places.map(({ title }) => title) : []))

test('what is found while events are under way gathers into the next one', async () => {
  const box = outbox()
  await box.add(place(1))
  const [first] = drain(box)
  await box.add(place(2))
  drain(box)
  for (const n of [3, 4, 5]) await box.add(place(n))

  expect(first).toMatchObject({ sequence: 1n })
  expect(drain(box)).toEqual([])
  box.acknowledge(1n)
  expect(titles(drain(box))).toEqual(['Place 3', 'Place 4', 'Place 5'])
})

test('after a broken stream only what is not acknowledged is sent again, under the same numbers', async () => {
  const box = outbox()
  await box.add(place(1))
  drain(box)
  await box.add(place(2))
  drain(box)

  box.rewind(1n)

  expect(drain(box)).toMatchObject([{ sequence: 2n }])
})

test('adding waits while too much is unacknowledged, and goes on with an acknowledgement', async () => {
  const box = outbox()
  let added = 0
  const adding = (async () => {
    for (let n = 0; n < 100; n++) {
      await box.add(place(n))
      added++
      drain(box)
    }
  })()
  await new Promise((resolve) => setImmediate(resolve))
  expect(added).toBeLessThan(100)

  for (let sequence = 1n; added < 100; sequence++) {
    box.acknowledge(sequence)
    drain(box)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await adding
})

test('who waits to add is refused once collecting was stopped', async () => {
  const stopping = new AbortController()
  const box = createOutbox(stopping.signal)
  const adding = (async () => {
    for (let n = 0; n < 100; n++) await box.add(place(n))
  })()
  stopping.abort(new Error('the agent is stopping'))
  await expect(adding).rejects.toThrow('the agent is stopping')
})

test('over any breaks every place arrives once and in order, and then the end', async () => {
  const steps = fc.array(fc.oneof(fc.constant('send'), fc.constant('break'), fc.constant('acknowledge')), {
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 40 }), steps, async (count, story) => {
      const box = outbox()
      for (let n = 0; n < count; n++) await box.add(place(n))
      box.finish(finished)
      const received: TaskEvent[] = []
      let acknowledged = 0n
      const receive = () => {
        for (const event of drain(box)) if (event.sequence === BigInt(received.length + 1)) received.push(event)
      }
      const acknowledge = () => {
        acknowledged = BigInt(received.length)
        box.acknowledge(acknowledged)
      }
      const turns = { send: receive, break: () => box.rewind(acknowledged), acknowledge }
      for (const step of story) turns[step as keyof typeof turns]()
      while (!box.delivered()) {
        receive()
        acknowledge()
      }
      expect(titles(received)).toEqual(Array.from({ length: count }, (_, n) => `Place ${n}`))
      expect(received.at(-1)?.body).toEqual(finished)
    }),
  )
})
