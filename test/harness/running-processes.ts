import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine, with what only its owner may read as empty text. */
type RunningProcess = { pid: number; parent: number; state: string; command: string; environment: string }

/** The processes of this machine. Reads /proc, because a small system has no `ps`. */
export const runningProcesses = (): RunningProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      // The name of the program, in brackets, may hold any character; the state and the parent follow (proc(5)).
      const [state = '', parent] = textOf(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
      const [command, environment] = ['cmdline', 'environ'].map((file) => textOf(pid, file).replaceAll('\0', ' '))
      return { pid: Number(pid), parent: Number(parent), state, command: command ?? '', environment: environment ?? '' }
    })

/** All processes below `pid` as the kernel knows them now, youngest last. */
export function descendants(pid: number): number[] {
  const children = runningProcesses().filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child.pid, ...descendants(child.pid)])
}

/** True as long as `pid` runs; a zombie does not. */
export const isRunning = (pid: number): boolean =>
  runningProcesses().some((one) => one.pid === pid && one.state !== 'Z' && one.state !== '')

// A process may end while it is read.
function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
