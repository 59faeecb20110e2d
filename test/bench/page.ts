import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { figure, type Report, type ReportTable } from './report.ts'

/** The only page with figures of performance. Benchmarks write them, people the rest. */
export const PAGE = join(import.meta.dirname, '..', '..', 'coordinator', 'guides', 'performance.md')

/**
 * Writes a report as the section of its benchmark into the page.
 * @throws Error when the page has no such section.
 */
export function writeReport(name: string, args: readonly string[], { tables, remarks = [] }: Report): void {
  const page = readFileSync(PAGE, 'utf8')
  const [opening, closing] = [`<!-- bench ${name} -->`, `<!-- end of bench ${name} -->`]
  const [begin, end] = [page.indexOf(opening), page.indexOf(closing)]
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no section ${opening} … ${closing}`)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB`
  const command = `\`npm run bench -- ${[name, ...args].join(' ')}\``
  const source = `${command}, ${new Date().toISOString().slice(0, 10)}, ${commit}, ${machine}:`
  const section = [source, ...tables.map(markdownOf), remarks.join('\n')].filter((part) => part !== '').join('\n\n')
  writeFileSync(PAGE, `${page.slice(0, begin + opening.length)}\n\n${section}\n\n${page.slice(end)}`)
}

function markdownOf({ title, head, rows }: ReportTable): string {
  const alignment = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell.replaceAll('|', '\\|'))),
  )
  const lines = [head, alignment, ...cells].map((row) => `| ${row.join(' | ')} |`)
  return [`**${title}**`, '', ...lines].join('\n')
}
