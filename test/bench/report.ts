import { loadavg } from 'node:os'
import Table from 'cli-table3'

/** The result of a benchmark: figures for scripts, tables and remarks for people, aims for developers. */
export type Report = {
  readonly figures: Record<string, unknown>
  readonly tables: readonly ReportTable[]
  readonly aims?: readonly Aim[]
  readonly remarks: readonly string[]
}

export type ReportTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** A goal of the product, and whether it was reached. */
export type Aim = { readonly aim: string; readonly reached: string; readonly met: boolean }

/** Returns a report as text: its tables, its aims, then its remarks. */
export function renderReport({ tables, aims = [], remarks }: Report): string {
  return [...tables.map(renderTable), ...aims.map(renderAim), ...remarks, ''].join('\n')
}

/** One report of several: their tables, and all aims in one table with the load of the machine. */
export function together(reports: readonly Report[]): Report {
  const aims = reports.flatMap((report) => report.aims ?? [])
  const rows = aims.map(({ aim, reached, met }) => [aim, reached, met ? 'met' : 'MISSED'])
  return {
    figures: { reports: reports.map(({ figures }) => figures) },
    tables: [...reports.flatMap(({ tables }) => tables), { title: 'Aims', head: ['aim', 'reached', ''], rows }],
    remarks: [`The load of this machine in the last 15 minutes was ${figure(loadavg()[2] ?? Number.NaN)}.`],
  }
}

const renderAim = ({ aim, reached, met }: Aim): string => `${met ? 'met   ' : 'MISSED'}  ${aim}: ${reached}`

/** Returns a number with the digits that matter to people. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-'
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value >= 1 ? 3 : 2)
}

/** Returns the median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

function renderTable({ title, head, rows }: ReportTable): string {
  const style = { head: [], border: [] } // no colours: the report may be written to a file
  const colAligns = head.map((_, column) => alignmentOf(rows[0]?.[column]))
  const table = new Table({ head: [...head], style, colAligns })
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell))))
  return `${title}\n${table.toString()}\n`
}

const alignmentOf = (cell: unknown): 'left' | 'right' => (typeof cell === 'number' ? 'right' : 'left')
