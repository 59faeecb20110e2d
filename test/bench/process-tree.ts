import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** The resources that a process and its living descendants have used so far. */
export type TreeUsage = {
  /** User and system time, including that of ended descendants. */
  readonly cpuSeconds: number
  /** Resident memory of the process, and proportional memory of its descendants, which counts shared pages once. */
  readonly megabytes: number
}

/**
 * The unit of the times in /proc/<pid>/stat. Linux shows them in hundredths of a second on all machines (proc(5)).
 */
const TICKS_A_SECOND = 100

type Entry = { readonly pid: number; readonly parent: number; readonly ticks: number }

/** Reads /proc. Returns zeros for a process that has ended. */
export function readTree(root: number): TreeUsage {
  const tree = treeOf(root, allProcesses())
  const ticks = tree.reduce((sum, entry) => sum + entry.ticks, 0)
  const kilobytes = tree.map(({ pid }) => (pid === root ? residentOf(pid) : proportionalOf(pid)))
  return { cpuSeconds: ticks / TICKS_A_SECOND, megabytes: kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024 }
}

/** Returns the peak resident memory of a process, in MB, without its descendants. */
export const peakOf = (pid: number): number => fieldOf(`/proc/${pid}/status`, /^VmHWM:\s+(\d+)/m) / 1024

/** Resets the value that `peakOf` returns (proc(5), clear_refs 5). */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const residentOf = (pid: number) => fieldOf(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m)
const proportionalOf = (pid: number) => fieldOf(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m)

function treeOf(root: number, all: readonly Entry[]): Entry[] {
  const tree = all.filter(({ pid }) => pid === root)
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid))
  return tree
}

function allProcesses(): Entry[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => entryOf(Number(pid)) ?? [])
}

// The name in brackets may hold any character, so fields are counted after it: 3 state, 4 parent, 14-17 times.
function entryOf(pid: number): Entry | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 15) return undefined
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), ticks }
}

const fieldOf = (path: string, pattern: RegExp) => Number(pattern.exec(textOf(path))?.[1] ?? 0)

// A process may end while it is read.
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
