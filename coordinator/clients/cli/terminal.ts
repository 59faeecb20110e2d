import { createInterface } from 'node:readline/promises'
import type { Writable } from 'node:stream'

/** What a command writes to and asks. Data goes to `out`, words to `err`. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
  /** Where files are written that go to stdout. */
  stdout: Writable
  /** Whether data is read by a person. */
  isShown: boolean
  /** Whether a person can be asked. */
  canAsk: boolean
  /** Asks a question and returns the answer. */
  ask(question: string): Promise<string>
  /** Everything that is piped in. */
  readInput(): Promise<string>
  /** Aborted when the person ends the program (Ctrl+C). */
  interrupted: AbortSignal
}

/** The terminal, or the pipes, of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  const ending = new AbortController()
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    stdout,
    isShown: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr })
      try {
        return await lines.question(question)
      } finally {
        lines.close()
      }
    },
    async readInput() {
      let text = ''
      for await (const part of stdin.setEncoding('utf8')) text += part
      return text
    },
    get interrupted() {
      process.once('SIGINT', () => ending.abort())
      return ending.signal
    },
  }
}

const CLEAR_LINE = '\r\u001b[K'

/** One line that is written again and again while something runs. Nothing is written where nobody watches. */
export function progressLine({ err, canAsk }: Terminal): { show(text: string): void; end(): void } {
  const write = canAsk ? err : () => undefined
  return { show: (text) => write(`${CLEAR_LINE}${text}`), end: () => write(CLEAR_LINE) }
}
