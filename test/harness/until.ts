import { setTimeout as sleep } from 'node:timers/promises'

/** The shortest and longest wait between two checks. */
const PAUSE_MS = { least: 20, most: 250 }

/**
 * Waits until `ask` returns a value. Fails with the description `what` after `withinMs`. The waits between checks grow,
 * because most checks are requests.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  withinMs = 40_000,
): Promise<Answer> {
  const begun = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    const waited = performance.now() - begun
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(Math.min(Math.max(waited / 5, PAUSE_MS.least), PAUSE_MS.most))
  }
}
