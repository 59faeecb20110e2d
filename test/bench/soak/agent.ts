import { setTimeout as sleep } from 'node:timers/promises'
import { createCollector } from '@placefleet/agent/collect/collector'
import { createLogger } from '@placefleet/shared/log'
import type { PlaceReference } from '@placefleet/shared/place'
import type { z } from 'zod'
import { UNPACED } from '../../harness/agents/collect-job.ts'
import { PARAMETERS } from '../../harness/agents/task-parameters.ts'
import { contend } from '../contender.ts'
import { readTree } from '../process-tree.ts'
import { type SoakAnswer, SoakSpec } from './answer.ts'
import { familyOf } from './family.ts'

const TASK_SIZE = 10
/** How long killed processes may take to disappear. */
const PATIENCE_MS = 10_000
const LOOK_MS = 100
const SLOTS = 4
const MAX_REVIEWS = 20

await contend(SoakSpec, async (spec) => ({ work: () => soak(spec) }))

async function soak({ mapsBaseUrl, rung, keys, places, sampleEvery }: z.infer<typeof SoakSpec>) {
  const log = createLogger('soak', 'fatal')
  const collector = createCollector({
    mapsBaseUrl,
    rung,
    allowHosts: new Set(),
    exits: UNPACED,
    sandbox: process.getuid?.() !== 0,
    log,
  })
  const samples: z.infer<typeof SoakAnswer>['samples'] = []
  const started = performance.now()
  let done = 0
  let handed = 0
  const count = async () => {
    done++
    if (done % sampleEvery > 0) return
    const { living: processes, zombies } = familyOf(process.pid)
    const heap = process.memoryUsage().heapUsed / 2 ** 20
    samples.push({ places: done, megabytes: readTree(process.pid).megabytes, heap, processes, zombies })
  }
  const slot = async () => {
    while (handed < places) {
      const at = handed % keys.length
      handed += TASK_SIZE
      const references: PlaceReference[] = keys.slice(at, at + TASK_SIZE).map((place_key) => ({ place_key }))
      const task = { task_id: `t${handed}`, job_id: 'soak', proxies: [], stored_place_keys: [], places_wanted: 500 }
      const work = { kind: 'collect', references } as const
      const sink = { place: count, references: async () => undefined, cells: () => undefined }
      await collector.collect(
        { ...task, work, parameters: { ...PARAMETERS, max_reviews: MAX_REVIEWS } },
        sink,
        new AbortController().signal,
      )
    }
  }
  await Promise.all(Array.from({ length: SLOTS }, slot))
  const seconds = (performance.now() - started) / 1_000
  await collector.close()
  return { samples, seconds, left: await familyLeft() }
}

// The system needs a moment to remove killed processes.
async function familyLeft() {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const left = familyOf(process.pid)
    if (left.living + left.zombies === 0) return left
    await sleep(LOOK_MS)
  }
  return familyOf(process.pid)
}
