import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type NodeRuntime, PLAIN_NODE } from './node-runtime.ts'
import { peakOf, readTree } from './process-tree.ts'

/** The cost of a contender from the message "go" to its answer, including its child processes. */
export type Usage = { readonly wallSeconds: number; readonly cpuSeconds: number; readonly peakMegabytes: number }

/** The answer of a contender, and its cost. */
export type Measured = { readonly answer: unknown; readonly usage: Usage }

const SAMPLE_MS = 200

/**
 * Runs a script (see contender.ts) with the input `spec` in a separate process. Measures its work without its start and
 * preparation. Peak memory covers its whole life.
 * @param runtime the flags and variables that users run the contender with.
 * @throws Error when it ends without an answer.
 */
export async function measureContender(script: string, spec: unknown, runtime = PLAIN_NODE): Promise<Measured> {
  const child = spawnContender(script, spec, runtime)
  const pid = child.pid
  if (pid === undefined) throw new Error(`${script} does not start`)
  try {
    await message(child, script)
    const meter = startMeter(pid)
    child.send('go')
    const answer = await message(child, script).finally(meter.stop)
    return { answer, usage: meter.usage() }
  } finally {
    await dismiss(child)
  }
}

/**
 * Runs a contender once without measuring it, so that Node has stored its compiled code, as on a machine that it worked
 * on before. A first start also loads the compiler, which stays in memory (18 MB).
 */
export async function rehearse(script: string, spec: unknown, runtime: NodeRuntime): Promise<void> {
  const child = spawnContender(script, spec, runtime)
  try {
    await message(child, script)
    child.send('go')
    await message(child, script)
  } finally {
    await dismiss(child)
  }
}

const spawnContender = (script: string, spec: unknown, { flags, env }: NodeRuntime): ChildProcess =>
  spawn(process.execPath, [...flags, script, JSON.stringify(spec)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/**
 * Returns the next message of a child process.
 * @throws Error when it ends first
 */
export async function message(child: ChildProcess, script: string): Promise<unknown> {
  const ended = new AbortController()
  const { signal } = ended
  const exit = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`${script} ended with ${by ?? code} before it had answered`)
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

function startMeter(pid: number) {
  const started = performance.now()
  const cpu = cpuMeter(pid)
  let peak = 0
  let wallSeconds = 0
  let cpuSeconds = 0
  const sample = () => {
    const { megabytes, cpuSeconds: used } = cpu.read()
    peak = Math.max(peak, megabytes)
    cpuSeconds = used
  }
  sample()
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      wallSeconds = (performance.now() - started) / 1000
      sample()
      peak = Math.max(peak, peakOf(pid))
    },
    usage: (): Usage => ({ wallSeconds, cpuSeconds, peakMegabytes: peak }),
  }
}

/**
 * The time of an ended process counts for its parent, unless the parent ended first. Then the sum falls, and the highest
 * value is kept.
 */
function cpuMeter(pid: number) {
  const first = readTree(pid)
  let last = first.cpuSeconds
  let orphaned = 0
  return {
    read() {
      let now = readTree(pid)
      if (now.cpuSeconds < last) now = readTree(pid) // a process may have ended between two lines of the first reading
      orphaned += Math.max(0, last - now.cpuSeconds)
      last = now.cpuSeconds
      return { megabytes: now.megabytes, cpuSeconds: last + orphaned - first.cpuSeconds }
    },
  }
}
