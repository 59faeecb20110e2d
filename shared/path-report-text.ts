import { type Cell, harmless, judged, strong, table } from './commands/table.ts'
import type { CheckedExit, CheckedPath, PathReport } from './path-report.ts'

/** Shows a report as text that is safe in a terminal, a table for each exit. */
export function pathReportText({ site, exits, healthy, conclusion, chromium_problem }: PathReport): string {
  return [
    harmless(site),
    '',
    ...exits.flatMap((exit) => [...exitLines(exit), '']),
    judged(healthy, harmless(conclusion)),
    ...(chromium_problem === undefined ? [] : [judged(false, harmless(chromium_problem))]),
  ].join('\n')
}

const HEADS = ['over', 'request', 'answer', 'status', 'kind', 'requests', 'kB', 'ms', 'found']

function exitLines({ exit, address, paths }: CheckedExit): string[] {
  const head = `Address or proxy: ${exit}${address === undefined ? '' : `, which the site sees as ${address}`}`
  const notes = paths.flatMap((path) => notesOf(path).map((note) => `${path.door} over ${path.rung}: ${note}`))
  return [strong(harmless(head)), table(HEADS, paths.map(cellsOf), 'No request was sent.'), ...notes.map(harmless)]
}

function cellsOf({ rung, door, verdict, status, kind, requests, bytes, milliseconds, found }: CheckedPath): Cell[] {
  if (requests === 0) return [rung, door, verdict]
  const kilobytes = (bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)
  return [rung, door, verdict, status, kind ?? 'no answer', requests, kilobytes, milliseconds, found]
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
