import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine, with what only its owner may read as empty text. */
export type RunningProcess = { pid: number; parent: number; command: string; environment: string }

/** The processes of this machine. Reads /proc, because a small system has no `ps`. */
export const runningProcesses = (): RunningProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({
      pid: Number(pid),
      // The name of the program, in brackets, may hold any character; the state and the parent follow (proc(5)).
      parent: Number(textOf(pid, 'stat').split(') ').at(-1)?.split(' ')[1]),
      command: textOf(pid, 'cmdline').replaceAll('\0', ' '),
      environment: textOf(pid, 'environ').replaceAll('\0', ' '),
    }))

// A process may end while it is read.
function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
