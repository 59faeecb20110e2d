import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the question is answered with something; fails with what was asked when that takes too long. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  withinMs = 40_000,
): Promise<Answer> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(50)
  }
}
