import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type NodeRuntime, PLAIN_NODE } from './node-runtime.ts'
import { peakOf, readTree } from './process-tree.ts'

/** The cost of a contender from the message "go" to its answer, including its child processes. */
export type Usage = { readonly wallSeconds: number; readonly cpuSeconds: number; readonly peakMegabytes: number }

const SAMPLE_MS = 200

/**
 * Runs a script (see contender.ts) with the input `spec` in a separate process. Measures its work without its start and
 * preparation. Peak memory covers its whole life.
 * @param runtime the flags and variables that users run the contender with.
 * @throws Error when it ends without an answer.
 */
export async function measureContender(
  script: string,
  spec: unknown,
  runtime?: NodeRuntime,
): Promise<{ answer: unknown; usage: Usage }> {
  const child = startScript(script, [JSON.stringify(spec)], runtime)
  try {
    await message(child)
    const stopMeter = startMeter(child.pid ?? 0)
    child.send('go')
    const answer = await message(child)
    return { answer, usage: stopMeter() }
  } finally {
    await dismiss(child)
  }
}

/** Starts a script in a separate process, which ends when it is dismissed. */
export const startScript = (
  script: string,
  args: string[],
  { flags, env }: NodeRuntime = PLAIN_NODE,
  more: Record<string, string> = {},
): ChildProcess =>
  spawn(process.execPath, [...flags, script, ...args], {
    env: { ...process.env, ...env, ...more },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/**
 * Returns the next message of a child process.
 * @throws Error when it ends first
 */
export async function message(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const { signal } = ended
  const exit = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${by ?? code} before it had answered`)
  })
  try {
    const [answer] = await Promise.race([once(child, 'message', { signal }), exit])
    return answer
  } finally {
    ended.abort()
    exit.catch(() => undefined) // it only reports an early end
  }
}

/** Releases a child process and waits for its end. */
export async function dismiss(child: ChildProcess): Promise<void> {
  if (child.connected) child.disconnect()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/**
 * Begins to measure a process. The time of an ended process counts for its parent, unless the parent ended first. Then
 * the sum falls, and the highest value is kept.
 */
function startMeter(pid: number): () => Usage {
  const started = performance.now()
  const first = readTree(pid)
  let { cpuSeconds: last, megabytes: peakMegabytes } = first
  let orphaned = 0
  const sample = () => {
    let now = readTree(pid)
    if (now.cpuSeconds < last) now = readTree(pid) // a process may have ended between two lines of the first reading
    orphaned += Math.max(0, last - now.cpuSeconds)
    last = now.cpuSeconds
    peakMegabytes = Math.max(peakMegabytes, now.megabytes)
  }
  const timer = setInterval(sample, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    const wallSeconds = (performance.now() - started) / 1_000
    sample()
    peakMegabytes = Math.max(peakMegabytes, peakOf(pid))
    return { wallSeconds, cpuSeconds: last + orphaned - first.cpuSeconds, peakMegabytes }
  }
}
