// The collecting half of the agent, without fleet and coordinator. Size and concurrency of tasks are those of the fleet.
import { randomUUID } from 'node:crypto'
import { createSlots } from '@placefleet/agent/browser/page-slots'
import { createCollector } from '@placefleet/agent/collect/collector'
import type { Sink, Task } from '@placefleet/agent/collect/task'
import { createLogger } from '@placefleet/shared/log'
import type { PlaceReference } from '@placefleet/shared/place'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { TASK_SIZE, UNPACED } from '../../harness/agents/collect-job.ts'
import { PARAMETERS } from '../../harness/agents/task-parameters.ts'
import { contend } from '../contender.ts'
import { capsOf, LANGUAGE, openOutput, Work } from './work.ts'

/** The default of AGENT_CONCURRENCY. */
const TASKS_AT_ONCE = 4

async function noReferences(): Promise<void> {
  throw new Error('a collect task finds no references')
}

function taskOf(wanted: Work, work: Task['work']): Task {
  const parameters: TaskParameters = { ...PARAMETERS, language: LANGUAGE, fast_mode: wanted.fast, ...capsOf(wanted) }
  return {
    task_id: randomUUID(),
    job_id: 'job',
    work,
    parameters,
    proxies: [],
    stored_place_keys: [],
    places_wanted: 500,
  }
}

await contend(Work, async (wanted) => {
  if (wanted.rung === 'browser') await import('playwright') // Crawlee loads it before its work, too
  const settings = {
    mapsBaseUrl: wanted.mapsBaseUrl,
    rung: wanted.rung,
    allowHosts: new Set<string>(),
    exits: UNPACED,
    sandbox: process.getuid?.() !== 0,
  }
  const collector = createCollector({ ...settings, log: createLogger('agent', 'warn') })
  const output = openOutput(wanted.output)
  const { signal } = new AbortController()
  const slots = createSlots(TASKS_AT_ONCE)
  const sink = (references: Sink['references']): Sink => ({
    references,
    place: async (place) => output.write(place),
    cells: () => undefined,
    input: () => undefined,
  })

  const run = async (work: Task['work'], into: Sink) => {
    const end = await slots.run(() => collector.collect(taskOf(wanted, work), into, signal), signal)
    if (end.kind === 'failed') throw new Error(`a task failed: ${end.code} ${end.message}`)
  }
  const work = async () => {
    const collecting: Promise<void>[] = []
    const waiting: PlaceReference[] = []
    const startTasks = (smallest: number) => {
      while (waiting.length >= smallest) {
        collecting.push(run({ kind: 'collect', references: waiting.splice(0, TASK_SIZE) }, sink(noReferences)))
      }
    }
    const keep = async (found: PlaceReference[]) => {
      waiting.push(...found)
      startTasks(TASK_SIZE)
    }
    await Promise.all(wanted.keywords.map((keyword) => run({ kind: 'discover', keyword }, sink(keep))))
    startTasks(1)
    await Promise.all(collecting)
    await collector.close()
    return output.close()
  }
  return { work }
})
