import type { Sink } from '@placefleet/agent/collect/task'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { collecting, taskOf } from './collecting.ts'

const OVER = new Error('the task has ended')

// An unhandled rejection would end an agent's process. Here it fails the run of the tests.
test('a task that is aborted at any moment of its website visits leaves no failing work behind', async () => {
  const { site, proxy, close } = await startOutsideWorld({ seed: 7, places: 240 })
  onTestFinished(close)
  const allowHosts = new Set([new URL(proxy.url).host])
  const { collector, run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  const task = taskOf({ kind: 'collect', references }, { proxies: [proxy.url], parameters: { include_emails: true } })

  for (let wanted = 1; wanted <= 20; wanted += volume(7, 1)) {
    const stopping = new AbortController()
    let stored = 0
    const sink: Sink = {
      references: async () => undefined,
      cells: () => undefined,
      input: () => undefined,
      place: async () => {
        stored += 1
        if (stored >= wanted) stopping.abort(OVER)
      },
    }
    await expect(collector.collect(task, sink, stopping.signal)).rejects.toBe(OVER)
  }
})
