import { setTimeout as sleep } from 'node:timers/promises'
import { type FollowEvent, firstOf, Placefleet } from '@placefleet/client'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import {
  type CoordinatorProcess,
  startAgentProcess,
  startCoordinatorProcess,
} from '../harness/coordinator/processes.ts'
import { API_KEY, startWorld, type World } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

const KILLS = 12
const FOLLOWERS = 3
const KEYWORD = 'bakery'

/** What a follower was sent. */
type Seen = { positions: number[]; places: number[]; end: string | undefined }

/** Two coordinators, each request to the other one than the request before, and a function that kills them in turn. */
async function twoCoordinators(world: World) {
  const running: CoordinatorProcess[] = [await startCoordinatorProcess(world), await startCoordinatorProcess(world)]
  const ports = running.map((coordinator) => coordinator.ports)
  const urls = running.map(({ url }) => url)
  let requests = 0
  return {
    grpc: running.map(({ grpc }) => grpc).join(','),
    nextUrl: () => urls[requests++ % urls.length] ?? '',
    async kill(turn: number) {
      const index = turn % running.length
      await running[index]?.kill('SIGKILL')
      running[index] = await startCoordinatorProcess(world, ports[index])
    },
  }
}

type Coordinators = Awaited<ReturnType<typeof twoCoordinators>>

/** Returns a client whose requests go to the coordinators in turn, as a load balancer would send them. */
function balancedClient({ nextUrl }: Coordinators) {
  const base = 'http://balanced'
  const send = (request: Request) => fetch(new Request(request.url.replace(base, nextUrl()), request))
  return new Placefleet({ url: base, apiKey: API_KEY, fetch: send, retry: { attempts: 100 } })
}

async function seenBy(events: AsyncIterable<FollowEvent>, seen: Seen): Promise<Seen> {
  for await (const event of events) {
    if (event.type === 'place') {
      seen.positions.push(event.position)
      seen.places.push(event.place.id)
    }
    if (event.type === 'end') seen.end = event.status
  }
  return seen
}

/** Follows a job by server-sent events, as a browser does: it comes back with the id of the last event. */
async function* browserEvents({ nextUrl }: Coordinators, id: string): AsyncGenerator<FollowEvent, void> {
  for (let last = '0'; last !== 'end'; await sleep(200)) {
    const headers = { authorization: `Bearer ${API_KEY}`, 'last-event-id': last }
    const answer = await fetch(`${nextUrl()}/api/v1/jobs/${id}/events`, { headers }).catch(() => undefined)
    if (answer?.status !== 200 || !answer.body) continue // killed, or the streams of the killed ones still count
    let text = ''
    try {
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const events = `${text}${piece}`.split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) {
          const [, cursor, data] = /^id: (.*)\ndata: (.*)$/m.exec(event) ?? []
          if (cursor === undefined || data === undefined) continue // a heartbeat
          last = cursor
          yield JSON.parse(data)
        }
      }
    } catch {
      // The coordinator was killed: the next one goes on from the last id.
    }
  }
}

const nothing = (): Seen => ({ positions: [], places: [], end: undefined })

test('followers of a job get each place once and the end, while its coordinators are killed repeatedly', async () => {
  const outside = await startOutsideWorld({ seed: 5, places: 1_440, options: { latencyMs: { min: 400, max: 600 } } })
  onTestFinished(() => outside.close())
  const world = await startWorld()
  const coordinators = await twoCoordinators(world)
  const { jobs } = balancedClient(coordinators)
  const settings = { MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '1' }
  startAgentProcess(world, coordinators.grpc, settings)
  const { id } = await jobs.create({
    name: 'followed',
    keywords: [KEYWORD],
    language: 'en',
    depth: 6,
    max_results: 500,
  })

  const watched = nothing()
  const followers = [
    seenBy(browserEvents(coordinators, id), watched),
    ...Array.from({ length: FOLLOWERS }, () => seenBy(jobs.events(id), nothing())),
  ]
  let killsBeforeEnd = 0
  for (let turn = 0; turn < KILLS; turn++) {
    const before = watched.positions.length
    await until('the follower goes on', () => watched.positions.length > before || watched.end !== undefined, 120_000)
    if (watched.end === undefined) killsBeforeEnd++
    await coordinators.kill(turn)
  }
  const all = await Promise.all(followers)

  const stored = await firstOf(jobs.places(id), Number.POSITIVE_INFINITY)
  expect(stored.map(({ data_id }) => data_id).toSorted()).toEqual(outside.city.keysOf(KEYWORD))
  const expected = { positions: stored.map((_, n) => n + 1), places: stored.map((place) => place.id), end: 'completed' }
  for (const seen of all) expect(seen).toEqual(expected)
  expect(killsBeforeEnd).toBeGreaterThan(0)
  console.log({ kills_before_the_end: killsBeforeEnd, places: stored.length })
})
