import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { figure, type Report, type ReportTable } from './report.ts'

/** The only page with figures of performance. Benchmarks write them, people the rest. */
export const PAGE = join(import.meta.dirname, '..', '..', 'coordinator', 'guides', 'performance.md')

const beginOf = (name: string) => `<!-- bench ${name} -->`
const endOf = (name: string) => `<!-- end of bench ${name} -->`

/**
 * Returns the page with a report as the section of its benchmark.
 * @throws Error when the page has no such section.
 */
export function withReport(
  page: string,
  name: string,
  args: readonly string[],
  report: Report,
  source: string,
): string {
  const [begin, end] = [page.indexOf(beginOf(name)), page.indexOf(endOf(name))]
  if (begin < 0 || end < begin) {
    throw new Error(
      `${PAGE} has no section for this benchmark. Add the lines ${beginOf(name)} and ${endOf(name)} to it.`,
    )
  }
  const command = `\`npm run bench -- ${[name, ...args].join(' ')}\``
  const parts = [`${command}, ${source}:`, ...report.tables.map(markdownOf), report.remarks.join('\n').trim()]
  const section = parts.filter((part) => part !== '').join('\n\n')
  return `${page.slice(0, begin + beginOf(name).length)}\n\n${section}\n\n${page.slice(end)}`
}

/** Writes a report into the page. */
export function writeReport(name: string, args: readonly string[], report: Report): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB`
  const source = `${new Date().toISOString().slice(0, 10)}, ${commit}, ${machine}`
  writeFileSync(PAGE, withReport(readFileSync(PAGE, 'utf8'), name, args, report, source))
}

function markdownOf({ title, head, rows }: ReportTable): string {
  const alignment = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell.replaceAll('|', '\\|'))),
  )
  const lines = [head, alignment, ...cells].map((row) => `| ${row.join(' | ')} |`)
  return [`**${title}**`, '', ...lines].join('\n')
}
