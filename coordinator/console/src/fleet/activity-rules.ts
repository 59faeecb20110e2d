import type { Work } from './fleet-queries.ts'

type Steps = { stepMs: number; steps: number; now: number }

/** Returns the work of the last steps up to now, with nothing where the API has left a step out. */
export function withoutGaps(work: readonly Work[], { stepMs, steps, now }: Steps): Work[] {
  const byTime = new Map(work.map((one) => [Date.parse(one.at), one]))
  const last = Math.floor(now / stepMs) * stepMs
  return Array.from({ length: steps }, (_, index) => {
    const at = last - (steps - 1 - index) * stepMs
    const nothing = { at: new Date(at).toISOString(), places: 0, visited: 0, blocked: 0, refused_tasks: 0 }
    return byTime.get(at) ?? nothing
  })
}
