import { Writable } from 'node:stream'
import { runCli } from '@placefleet/cli/run'
import type { Terminal } from '@placefleet/cli/terminal'

export type CliRun = { code: number; out: string; err: string }

/**
 * Runs the client's command line in this process, before pipes or before a person who answers.
 * @param interrupted is aborted when the person presses Ctrl+C.
 */
export async function placefleet(
  args: string[],
  env: Record<string, string>,
  answer?: string,
  interrupted: AbortSignal = new AbortController().signal,
): Promise<CliRun> {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal: Terminal = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    stdout: new Writable({
      write(chunk, _, done) {
        out.push(String(chunk))
        done()
      },
    }),
    isShown: answer !== undefined,
    canAsk: answer !== undefined,
    async ask(question) {
      err.push(question)
      return answer ?? ''
    },
    readInput: async () => answer ?? '',
    onInterrupt: () => interrupted,
  }
  const code = await runCli(args, env, terminal)
  return { code, out: out.join(''), err: err.join('') }
}
