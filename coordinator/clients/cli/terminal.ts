import { createInterface } from 'node:readline/promises'
import type { Writable } from 'node:stream'

/** The input and output of a command. Data goes to `out`, messages to `err`. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
  /** The stream for files that go to stdout. */
  stdout: Writable
  /** Whether stdout is a terminal. */
  isShown: boolean
  /** Whether the user can be asked a question. */
  canAsk: boolean
  /** Asks a question and returns the answer. */
  ask(question: string): Promise<string>
  readInput(): Promise<string>
  /** Returns a signal that aborts when the user presses Ctrl+C, which then no longer ends the program. */
  onInterrupt(): AbortSignal
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
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
    onInterrupt() {
      const interrupt = new AbortController()
      process.once('SIGINT', () => interrupt.abort())
      return interrupt.signal
    },
  }
}

const CLEAR_LINE = '\r\u001b[K'

/** Returns a status line that is overwritten while something runs. Writes nothing without a terminal. */
export function progressLine({ err, canAsk }: Terminal): { show(text: string): void; end(): void } {
  const write = canAsk ? err : () => undefined
  return { show: (text) => write(`${CLEAR_LINE}${text}`), end: () => write(CLEAR_LINE) }
}
