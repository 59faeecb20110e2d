import { writeFileSync } from 'node:fs'
import { procText, runningProcesses } from '../harness/running-processes.ts'

/**
 * Reads from /proc what a process and its living descendants have used so far: user and system time, including that of
 * ended descendants, and the resident memory of the process with the proportional memory of its descendants, which
 * counts shared pages once. Zeros for a process that has ended.
 */
export function readTree(root: number): { cpuSeconds: number; megabytes: number } {
  const all = runningProcesses()
  const tree = all.filter(({ pid }) => pid === root)
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid))
  const kilobytes = tree.map(({ pid }) =>
    pid === root ? fieldOf(pid, 'status', /^VmRSS:\s+(\d+)/m) : fieldOf(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m),
  )
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return { cpuSeconds: sum(tree.map(({ ticks }) => ticks)) / 100, megabytes: sum(kilobytes) / 1024 }
}

/** Returns the peak resident memory of a process, in MB, without its descendants. */
export const peakOf = (pid: number): number => fieldOf(pid, 'status', /^VmHWM:\s+(\d+)/m) / 1024

/** Resets the value that `peakOf` returns (proc(5), clear_refs 5). */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const fieldOf = (pid: number, file: string, pattern: RegExp) => Number(pattern.exec(procText(pid, file))?.[1] ?? 0)
