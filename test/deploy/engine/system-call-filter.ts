import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The numbers of the system calls of x86-64, from the kernel's headers (Debian's package linux-libc-dev). */
export const HEADER = '/usr/include/x86_64-linux-gnu/asm/unistd_64.h'

const ALLOW = 0x7fff0000
const ERROR = 0x00050000
const KILL = 0x80000000
const EPERM = 1

/**
 * Writes the filter of a unit as a seccomp program into the directory, and returns its path. It does what systemd does: the
 * first line is a list of allowed calls, each later line adds to it or, with `~`, removes from it.
 */
export function writeFilter(unit: string, dir: string): string {
  const allowed = allowedCalls(settings(unit, 'SystemCallFilter'))
  const refused = settings(unit, 'SystemCallErrorNumber').includes('EPERM') ? ERROR | EPERM : KILL
  const numbers = numberOf()
  const instruction = (code: number, ifTrue: number, ifFalse: number, value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt16LE(code, 0)
    bytes.writeUInt8(ifTrue, 2)
    bytes.writeUInt8(ifFalse, 3)
    bytes.writeUInt32LE(value >>> 0, 4)
    return bytes
  }
  const returns = (action: number) => instruction(0x06, 0, 0, action)
  const program = [
    instruction(0x20, 0, 0, 0), // loads the number of the call
    ...[...allowed].flatMap((name) => {
      const number = numbers.get(name)
      return number === undefined ? [] : [instruction(0x15, 0, 1, number), returns(ALLOW)]
    }),
    returns(refused),
  ]
  const file = join(dir, 'filter.bpf')
  writeFileSync(file, Buffer.concat(program))
  return file
}

function allowedCalls(lines: readonly string[]): Set<string> {
  const calls = new Set<string>()
  for (const line of lines) {
    const removes = line.startsWith('~')
    for (const word of line.replace('~', '').split(/\s+/).filter(Boolean))
      for (const call of callsOf(word)) removes ? calls.delete(call) : calls.add(call)
  }
  return calls
}

/** Returns the calls of a set with their nested sets; a call is returned as it is. */
function callsOf(word: string): string[] {
  if (!word.startsWith('@')) return [word]
  const { stdout, status, stderr } = spawnSync('systemd-analyze', ['syscall-filter', word], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`systemd-analyze does not know ${word}: ${stderr}`)
  const lines = stdout.split('\n').slice(1)
  return lines.flatMap((line) => {
    const name = line.trim()
    return name === '' || name.startsWith('#') ? [] : callsOf(name)
  })
}

const settings = (unit: string, name: string): string[] =>
  [...readFileSync(unit, 'utf8').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

function numberOf(): Map<string, number> {
  const defined = readFileSync(HEADER, 'utf8').matchAll(/^#define __NR_(\w+)\s+(\d+)$/gm)
  return new Map([...defined].map(([, name = '', number]) => [name, Number(number)]))
}
