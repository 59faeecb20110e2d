import { setTimeout as sleep } from 'node:timers/promises'

/** The shortest and longest wait between two checks. */
const PAUSE_MS = { least: 20, most: 250 }

/** What says: not yet. A search of the database without a hit is null. */
type Nothing = undefined | null | false

/**
 * Waits until `ask` returns a value other than undefined, null and false. Fails with the description `what` after
 * `withinMs`. The waits between checks grow, because most checks are requests.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | Nothing> | Answer | Nothing,
  withinMs = 50_000,
): Promise<Answer> {
  const begun = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== null && answer !== false) return answer
    const waited = performance.now() - begun
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(Math.min(Math.max(waited / 5, PAUSE_MS.least), PAUSE_MS.most))
  }
}
