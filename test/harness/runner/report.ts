import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { DURATIONS_FILE, ROOT } from './longest-first.ts'

const LISTED = 10

/**
 * Prints at the end of a run which files took longest and what this machine lacks. With WRITE_DURATIONS=1 it also
 * writes the durations by which longest-first.ts sorts.
 */
export default class Report implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const durations = modules
      .map((module) => ({ file: relative(ROOT, module.moduleId), seconds: module.diagnostic().duration / 1000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    if (process.env.WRITE_DURATIONS === '1') writeDurations(durations)
    const longest = durations
      .slice(0, LISTED)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    if (durations.length > LISTED) console.log(['\n The longest files:', ...longest].join('\n'))
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const lacking = lackingLine(skipped.map(({ fullName }) => fullName))
    if (lacking !== undefined) console.log(`\n ${lacking}`)
  }
}

/**
 * Returns the line about what this machine lacks for the skipped tests of these names, in which `unlessLacking`
 * (harness/needs.ts) wrote the needs. Undefined when it lacks nothing: tests that `-t` leaves out need nothing.
 */
export function lackingLine(names: readonly string[]): string | undefined {
  const needs = names.flatMap((name) => /\(needs ([^)]+)\)/.exec(name)?.slice(1) ?? [])
  const counts = [...Map.groupBy(needs, (need) => need)].map(
    ([need, { length }]) => `${need} (${length} ${length === 1 ? 'test' : 'tests'})`,
  )
  return counts.length === 0 ? undefined : `Skipped, because this machine lacks: ${counts.join(', ')}`
}

function writeDurations(durations: { file: string; seconds: number }[]): void {
  const sorted = durations.toSorted((a, b) => a.file.localeCompare(b.file))
  const seconds = Object.fromEntries(sorted.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10]))
  writeFileSync(DURATIONS_FILE, `${JSON.stringify(seconds, null, 2)}\n`)
}
