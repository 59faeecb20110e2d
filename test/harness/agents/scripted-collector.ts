import type { CollectionEnd, Collector } from '@placefleet/agent/collect/collector'
import type { Sink, Task } from '@placefleet/agent/collect/task'
import { noOutcomes } from '@placefleet/shared/outcome'
import type { Place, PlaceReference } from '@placefleet/shared/place'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'

/** Returns the key of the n-th place of a scripted town. */
export const keyOf = (n: number): string => `0x${(n + 1).toString(16)}:0x1`

/** Returns the n-th place of a scripted town. */
export const placeOf = (n: number): Place => ({ place_key: keyOf(n), data_id: keyOf(n), title: `Place ${n}` })

export type Script = {
  /** Returns the numbers of the places that a keyword finds. */
  find(keyword: string): number[]
  /** Called before each place is sent. It may wait or throw. */
  before?(task: Task, reference: PlaceReference, signal: AbortSignal): Promise<void>
}

/** Returns a collector that finds and collects the places of a script, like the real one but without a site. */
export function scriptedCollector(script: Script): Collector {
  return {
    async collect(task, sink, signal): Promise<CollectionEnd> {
      if (task.work.kind === 'discover') await sink.references(script.find(task.work.keyword).map(referenceOf))
      else await collectAll(script, task, task.work.references, sink, signal)
      return { kind: 'finished', outcomes: noOutcomes(), website_visits: noWebsiteVisits() }
    },
    resting: () => ({ blocked: 0, consent: 0, failed: 0, unknown: 0 }),
    access: () => Promise.reject(new Error('a scripted collector has no map site')),
    drifted: () => [],
    close: async () => undefined,
  }
}

async function collectAll(
  script: Script,
  task: Task,
  references: readonly PlaceReference[],
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  for (const reference of references) {
    if (task.stored_place_keys.includes(reference.place_key)) continue
    await script.before?.(task, reference, signal)
    signal.throwIfAborted()
    await sink.place({ ...reference, data_id: reference.place_key, title: reference.title ?? 'untitled' })
  }
}

const referenceOf = (n: number): PlaceReference => ({ place_key: keyOf(n), title: `Place ${n}` })
