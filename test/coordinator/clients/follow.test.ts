import { type FollowEvent, Placefleet } from '@placefleet/client'
import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'
import { volume } from '../../harness/volume.ts'
import { recordedLines } from './recorded-lines.ts'

const PLACES = 3
const LINES = recordedLines(PLACES)
const WHOLE = Buffer.from(LINES.join(''))

/** Returns the rest of the recorded stream behind a place. */
const restBehind = (position: number): Buffer =>
  Buffer.from(
    LINES.slice(position === 0 ? 0 : LINES.findIndex((line) => line.includes(`"position":${position},`)) + 1).join(''),
  )

const LETTERS = WHOLE.indexOf('Café Süß 2')
const NEWLINE = 10

/** Around the ends of lines and in letters of two bytes a cut is tried at each byte, elsewhere at some. */
const isTried = (bytes: number): boolean =>
  bytes % volume(7, 1) === 0 ||
  [WHOLE[bytes - 1], WHOLE[bytes]].includes(NEWLINE) ||
  (bytes >= LETTERS && bytes < LETTERS + 15)

/** Returns a server whose first connection of each job is cut after the number of bytes in the job's id. */
const cuttingServer = (cut: 'reset' | 'ended') => {
  const seen = new Set<string>()
  return serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
    const job = pathname.split('/').at(-2) ?? ''
    const rest = restBehind(Number(searchParams.get('after')))
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    if (seen.has(job)) return void response.end(rest)
    seen.add(job)
    const bytes = rest.subarray(0, Number(job))
    if (cut === 'ended') response.end(bytes)
    else response.write(bytes, () => response.socket?.destroy())
  })
}

async function eventsOf(url: string, job: string): Promise<FollowEvent[]> {
  const events: FollowEvent[] = []
  for await (const event of new Placefleet({ url, apiKey: 'svc_x' }).jobs.events(job)) events.push(event)
  return events
}

test.each(['reset', 'ended'] as const)(
  'a stream that is %s after any byte is resumed: each place arrives once, and so does the end',
  async (cut) => {
    const { url } = await cuttingServer(cut)
    const cuts = Array.from({ length: WHOLE.length + 1 }, (_, bytes) => bytes)
      .filter(isTried)
      .map(String)

    const all = await Promise.all(cuts.map((bytes) => eventsOf(url, bytes)))

    for (const events of all) {
      expect(events.flatMap((event) => (event.type === 'place' ? [event.position] : []))).toEqual([1, 2, 3])
      expect(events.flatMap((event) => (event.type === 'place' ? [event.place.title] : []))).toContain('Café Süß 3')
      expect(events.at(-1)).toEqual({ type: 'end', status: 'completed' })
    }
  },
)

test('a program that stops reading closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve((_, response) => {
    response.on('close', () => closed.resolve())
    response.write(LINES.slice(0, 3).join('')) // and then nothing for ever
  })

  for await (const place of new Placefleet({ url, apiKey: null }).jobs.follow('any')) {
    expect(place.title).toBe('Café Süß 1')
    break
  }

  await closed.promise
})

test('a job that is gone ends the following with the answer of the API', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ code: 404, error: 'not_found', message: 'This job does not exist.', request_id: 'r1' }),
    )
  })

  const failure = { status: 404, code: 'not_found', message: 'This job does not exist.', requestId: 'r1' }
  await expect(eventsOf(url, 'any')).rejects.toMatchObject(failure)
})
