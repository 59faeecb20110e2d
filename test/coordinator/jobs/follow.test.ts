import { followJob } from '@placefleet/coordinator/jobs/following/follow'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'

test('a follower reads places only while its job has more of them than it was sent', async () => {
  const withPlaces = (places: number, status: 'running' | 'completed' = 'running') =>
    sampleJob('user', { status, totals: { places, reviews: 0, images: 0 } })
  const changes = [withPlaces(0), withPlaces(2), withPlaces(2, 'completed')]
  const asked: number[] = []
  const events = followJob(
    {
      watch: { change: async () => changes.shift() },
      async readBehind(_, position) {
        asked.push(position)
        return []
      },
      isStopping: () => false,
    },
    { job: withPlaces(0), after: 0, withPlaces: true, lifeMs: 60_000 },
  )
  let sent = 0
  for await (const _ of events) sent += 1

  expect(asked).toEqual([0, 0]) // of the two states with places
  expect(sent).toBe(5)
})
