import { UsageError } from '@placefleet/shared/command-line'
import { type Report, shownAs } from '@placefleet/shared/commands/command'
import { type Cell, shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import type { CliContext } from './context.ts'

/** The option that chooses the columns of a list. */
export const columnsOption = z
  .string()
  .transform((names) => names.split(',').map((name) => name.trim()))
  .optional()
  .meta(shownAs('names', 'only these columns or fields, in this order, separated by commas'))

/** A terminal shows so many characters of a cell. A file or a pipe gets all of them. */
const CELL_CHARACTERS = 36

type Columns = Record<string, Cell>

/**
 * Reports a list. The table has the columns of `columnsOf`; `columns` chooses among them and all fields of the items, for
 * the table and for JSON.
 * @throws UsageError when a column does not exist.
 */
export function listing<Item extends object>(
  { terminal }: Pick<CliContext, 'terminal'>,
  items: readonly Item[],
  columnsOf: (item: Item) => Columns,
  { columns, none }: { columns: readonly string[] | undefined; none: string },
): Report {
  const [first] = items
  if (first === undefined) return { data: items, text: none }
  const all = items.map((item): Columns => ({ ...fieldsOf(item), ...columnsOf(item) }))
  const names = columns ?? Object.keys(columnsOf(first))
  checkNames(names, all)
  const shown = (cell: Cell) =>
    terminal.isShown && typeof cell === 'string' && !UUID.test(cell) ? shortened(cell, CELL_CHARACTERS) : cell
  const rows = all.map((cells) => names.map((name) => shown(cells[name])))
  const picked = (item: Item) => Object.entries(item).filter(([name]) => names.includes(name))
  const data = columns === undefined ? items : items.map((item) => Object.fromEntries(picked(item)))
  return { data, text: table([...names], rows, none) }
}

const UUID = /^[0-9a-f-]{36}$/

const fieldsOf = (item: object): Columns =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, cellOf(value)]))

const cellOf = (value: unknown): Cell =>
  value === undefined || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)

function checkNames(names: readonly string[], rows: readonly Columns[]): void {
  const known = new Set(rows.flatMap((cells) => Object.keys(cells)))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new UsageError(`--columns: there is no ${unknown.join(', ')} here. The names are ${[...known].join(', ')}.`)
}
