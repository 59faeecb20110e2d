import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine. `ticks`: its processor time and that of its ended children, in hundredths of a second. */
type RunningProcess = { pid: number; parent: number; state: string; ticks: number }

/**
 * The processes of this machine. Reads /proc, because a small system has no `ps`. The name of a program, in brackets,
 * may hold any character, so fields are counted after it: state, parent, and from the twelfth on four times (proc(5)).
 */
export const runningProcesses = (): RunningProcess[] =>
  readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? procText(Number(name), 'stat') : ''
    const [state = '', parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0)
    return stat === '' ? [] : [{ pid: Number(name), parent: Number(parent), state, ticks }]
  })

/** All processes below `pid` as the kernel knows them now, youngest last. */
export function descendants(pid: number): number[] {
  const children = runningProcesses().filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child.pid, ...descendants(child.pid)])
}

/** True as long as `pid` runs; a zombie does not. */
export const isRunning = (pid: number): boolean =>
  runningProcesses().some((one) => one.pid === pid && one.state !== 'Z')

/**
 * A file below /proc/PID, with spaces for zeros. Empty for a process that has ended, and for what only its owner reads.
 */
export function procText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
