import { styleText } from 'node:util'
import type { CheckedExit, CheckedPath, PathReport } from './path-report.ts'

/** Shows a report as text, a table for each exit. */
export function pathReportText({ site, exits, healthy, conclusion, chromium_problem }: PathReport): string {
  return [
    site,
    '',
    ...exits.flatMap((exit) => [...exitLines(exit), '']),
    styleText(healthy ? 'green' : 'red', conclusion),
    ...(chromium_problem === undefined ? [] : [styleText('red', chromium_problem)]),
  ].join('\n')
}

const HEADS = ['rung', 'door', 'verdict', 'status', 'kind', 'requests', 'kB', 'ms', 'found']
/** Of these columns, numbers stand to the right. */
const FIRST_NUMBER = 5

function exitLines({ exit, address, paths }: CheckedExit): string[] {
  const rows = paths.map(cellsOf)
  const widths = HEADS.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at < FIRST_NUMBER ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
  const shown = paths.flatMap((path, at) => [
    coloured(path, line(rows[at] ?? [])),
    ...notesOf(path).map((note) => `      ${note}`),
  ])
  const head = `Exit: ${exit}${address === undefined ? '' : `, which the site sees as ${address}`}`
  return [styleText('bold', head), styleText('bold', line(HEADS)), ...shown]
}

function cellsOf({ rung, door, verdict, status, kind, requests, bytes, milliseconds, found }: CheckedPath): string[] {
  if (requests === 0) return [rung, door, verdict]
  const kilobytes = (bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)
  const numbers = [requests, kilobytes, milliseconds, found ?? '']
  return [rung, door, verdict, String(status ?? '-'), kind ?? 'no answer', ...numbers.map(String)]
}

function notesOf({ note, cookies, consent, limited, missing }: CheckedPath): string[] {
  return [
    ...(note === undefined ? [] : [note]),
    ...(cookies.length > 0 ? [`sets the cookies ${cookies.join(', ')}`] : []),
    ...(consent ? ['asked for consent'] : []),
    ...(limited ? ['says that it shows only a part'] : []),
    ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
  ]
}

function coloured({ verdict }: CheckedPath, line: string): string {
  if (verdict === 'whole') return line
  return styleText(verdict === 'not_asked' ? 'dim' : 'red', line)
}
