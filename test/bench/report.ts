import { loadavg } from 'node:os'
import Table from 'cli-table3'

/** The result of a benchmark: tables and remarks for people, aims for developers. */
export type Report = {
  readonly tables: readonly ReportTable[]
  readonly aims?: readonly Aim[]
  readonly remarks?: readonly string[]
}

export type ReportTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** A goal of the product, and whether it was reached. */
export type Aim = { readonly aim: string; readonly reached: string; readonly met: boolean }

/** What the value may be at most, or must be at least. */
export const aimOf = (what: string, side: 'at most' | 'at least', bound: number, value: number, unit = ''): Aim => ({
  aim: `${what}: ${side} ${bound} ${unit}`.trim(),
  reached: `${figure(value)} ${unit}`.trim(),
  met: side === 'at most' ? value <= bound : value >= bound,
})

/** Returns a report as text: its tables, then its remarks. */
export const renderReport = ({ tables, remarks = [] }: Report): string =>
  [...tables.map(renderTable), ...remarks, ''].join('\n')

/** One report of several: their tables, and all aims in one table with the load of the machine. */
export function together(reports: readonly Report[]): Report {
  const aims = reports.flatMap((report) => report.aims ?? [])
  const rows = aims.map(({ aim, reached, met }) => [aim, reached, met ? 'met' : 'MISSED'])
  const table = { title: 'Aims', head: ['aim', 'reached', ''], rows }
  return {
    tables: [...reports.flatMap(({ tables }) => tables), ...(rows.length > 0 ? [table] : [])],
    remarks: [
      ...reports.flatMap(({ remarks = [] }) => remarks),
      `The load of this machine in the last 15 minutes was ${figure(loadavg()[2] ?? Number.NaN)}.`,
    ],
  }
}

/** Returns a number with the digits that matter to people. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-'
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value >= 1 ? 3 : 2)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Returns the medians over the runs of each name, in the order of the names. */
export function medians<Names extends string>(runs: readonly { name: string; figures: Record<Names, number> }[]) {
  return [...Map.groupBy(runs, ({ name }) => name)].map(([name, own]) => {
    const columns = Object.keys(own[0]?.figures ?? {}) as Names[]
    const of = (column: Names) => median(own.map(({ figures }) => figures[column]))
    return { name, figures: Object.fromEntries(columns.map((column) => [column, of(column)])) as Record<Names, number> }
  })
}

function renderTable({ title, head, rows }: ReportTable): string {
  const style = { head: [], border: [] } // no colours: the report may be written to a file
  const colAligns = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? 'right' : 'left'))
  const table = new Table({ head: [...head], style, colAligns })
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell))))
  return `${title}\n${table.toString()}\n`
}
