import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** The unit of the times in /proc/<pid>/stat. Linux shows them in hundredths of a second on all machines (proc(5)). */
const TICKS_A_SECOND = 100

/**
 * Reads from /proc what a process and its living descendants have used so far: user and system time, including that of
 * ended descendants, and the resident memory of the process with the proportional memory of its descendants, which
 * counts shared pages once. Zeros for a process that has ended.
 */
export function readTree(root: number): { cpuSeconds: number; megabytes: number } {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (entryOf(Number(name)) ?? []) : []))
  const tree = all.filter(({ pid }) => pid === root)
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid))
  const kilobytes = tree.map(({ pid }) =>
    pid === root ? fieldOf(pid, 'status', /^VmRSS:\s+(\d+)/m) : fieldOf(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m),
  )
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return { cpuSeconds: sum(tree.map(({ ticks }) => ticks)) / TICKS_A_SECOND, megabytes: sum(kilobytes) / 1024 }
}

/** Returns the peak resident memory of a process, in MB, without its descendants. */
export const peakOf = (pid: number): number => fieldOf(pid, 'status', /^VmHWM:\s+(\d+)/m) / 1024

/** Resets the value that `peakOf` returns (proc(5), clear_refs 5). */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

// The name in brackets may hold any character, so fields are counted after it: 3 state, 4 parent, 14-17 times.
function entryOf(pid: number) {
  const stat = textOf(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 15) return undefined
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), ticks }
}

const fieldOf = (pid: number, file: string, pattern: RegExp) => Number(pattern.exec(textOf(pid, file))?.[1] ?? 0)

// A process may end while it is read.
function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
