import { type FollowEvent, firstOf, Placefleet } from '@placefleet/client'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { API_KEY, startWorld, type World } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

const KILLS = 12
const FOLLOWERS = 3
const KEYWORD = 'bakery'

/** What a follower was sent. */
type Seen = { positions: number[]; places: number[]; end: string | undefined }

/**
 * Two coordinators, a client whose requests go to them in turn, as a load balancer would send them, and a function that
 * kills them in turn.
 */
async function twoCoordinators(world: World) {
  const running = [await startCoordinatorProcess(world), await startCoordinatorProcess(world)]
  const urls = running.map(({ url }) => url)
  let requests = 0
  const base = 'http://balanced'
  const send = (request: Request) =>
    fetch(new Request(request.url.replace(base, urls[requests++ % urls.length] ?? ''), request))
  return {
    grpc: running.map(({ grpc }) => grpc).join(','),
    jobs: new Placefleet({ url: base, apiKey: API_KEY, fetch: send, retry: { attempts: 100 } }).jobs,
    async kill(turn: number) {
      const index = turn % running.length
      const { ports, kill } = running[index] ?? expect.fail('there are two')
      await kill('SIGKILL')
      running[index] = await startCoordinatorProcess(world, ports)
    },
  }
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

test('followers of a job get each place once and the end, while its coordinators are killed repeatedly', async () => {
  const outside = await startOutsideWorld({ seed: 5, places: 1_440, options: { latencyMs: { min: 400, max: 600 } } })
  onTestFinished(() => outside.close())
  const world = await startWorld()
  const { grpc, jobs, kill } = await twoCoordinators(world)
  const settings = { MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '1' }
  startAgentProcess(world, grpc, settings)
  const request = { name: 'followed', keywords: [KEYWORD], language: 'en' as const }
  const { id } = await jobs.create({ ...request, depth: 6, max_results: 500 })

  const watched: Seen = { positions: [], places: [], end: undefined }
  const seen = [watched, ...Array.from({ length: FOLLOWERS }, (): Seen => ({ ...watched, positions: [], places: [] }))]
  const followers = seen.map((own) => seenBy(jobs.events(id), own))
  let killsBeforeEnd = 0
  for (let turn = 0; turn < KILLS; turn++) {
    const before = watched.positions.length
    await until('the follower goes on', () => watched.positions.length > before || watched.end !== undefined, 120_000)
    if (watched.end === undefined) killsBeforeEnd++
    await kill(turn)
  }
  await Promise.all(followers)

  const stored = await firstOf(jobs.places(id), Number.POSITIVE_INFINITY)
  expect(stored.map(({ data_id }) => data_id).toSorted()).toEqual(outside.city.keysOf(KEYWORD))
  const expected = { positions: stored.map((_, n) => n + 1), places: stored.map((place) => place.id), end: 'completed' }
  expect(seen).toEqual(seen.map(() => expected))
  expect(killsBeforeEnd).toBeGreaterThan(0)
  console.log({ kills_before_the_end: killsBeforeEnd, places: stored.length })
})
