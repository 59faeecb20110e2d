import { appendFileSync } from 'node:fs'

/** How a call ended for the one who made it: `unknown` when it may or may not have taken effect. */
export type Outcome = 'ok' | 'fail' | 'unknown'

/** One call of a user: when it began and ended (milliseconds of the run), and what was answered. */
export type Call = {
  number: number
  user: string
  action: string
  about: string
  via: string
  begun: number
  ended: number
  outcome: Outcome
  answer: unknown
}

/** Everything users did, in the order in which the calls ended; also written to a file, begins included. */
export type History = {
  calls: readonly Call[]
  record<Answer>(
    call: Pick<Call, 'user' | 'action' | 'about' | 'via'>,
    make: () => Promise<{ outcome: Outcome; answer: Answer }>,
  ): Promise<{ outcome: Outcome; answer: Answer; call: Call }>
}

/** Creates an empty history, kept in a file of JSON lines. */
export function createHistory(file: string): History {
  const calls: Call[] = []
  let last = 0
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`)
  return {
    calls,
    async record(about, make) {
      const number = ++last
      const begun = performance.now()
      write({ at: new Date().toISOString(), invoke: number, ...about })
      const { outcome, answer } = await make()
      const call = { number, ...about, begun, ended: performance.now(), outcome, answer }
      calls.push(call)
      write({ at: new Date().toISOString(), [outcome]: number, ...about, answer })
      return { outcome, answer, call }
    },
  }
}
