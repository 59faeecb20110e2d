import { Box, type MantineBreakpoint, Pagination, Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode, useState } from 'react'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'
import { nextSorting, type Sorting, type SortValue, sortedRows } from './rows.ts'

/** A column: its heading, and what its cell shows of a row. */
export type Column<Row> = {
  title: string
  cell(row: Row): ReactNode
  /** What a click on the head sorts by. Only for a list that is shown as a whole. */
  order?(row: Row): SortValue
  /** The field by which the API sorts a list after a click on the head. Only with the `sorting` of the table. */
  field?: string
  /** The smallest width of the window that shows the column. */
  from?: MantineBreakpoint
  /** Numbers, at the right. */
  figures?: boolean
  /** Buttons, at the right. Only screen readers get the heading. */
  actions?: boolean
  /** Whether long words break. */
  breakable?: boolean
  width?: string | number
  className?: string
}

type DataTableProps<Row> = {
  label: string
  rows: readonly Row[]
  /** A table with hundreds of rows takes the same array each time: then only rows that are new are drawn. */
  columns: readonly Column<Row>[]
  keyOf(row: Row): string | number
  /** The order in which the API sent the rows, and how to ask for another one. */
  sorting?: { now: Sorting; sortBy(field: string): void }
  /** Shown instead of a table without rows. */
  empty?: ReactNode
  /** Whether the label is also shown above the table. */
  caption?: boolean
  dense?: boolean
  /** The key of the row that is marked. */
  active?: string | number | undefined
  /** Called when the pointer comes to a row, and when it leaves. */
  onPoint?(row: Row | undefined): void
  /** A line below a row, over all columns. */
  below?(row: Row): ReactNode
}

/** A table that scrolls in its own frame when it is too wide. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, keyOf, empty, active, caption = false, dense = false, sorting, ...rowProps } = props
  const [own, setOwn] = useState<Sorting>()
  const { now, sortBy } = sorting ?? { now: own, sortBy: (by: string) => setOwn(nextSorting(own, by)) }
  if (rows.length === 0 && empty !== undefined) return empty
  const order = columns.find(({ title }) => title === now?.by)?.order
  const shown = now && order ? sortedRows(rows, order, now.descending) : rows
  return (
    <Box className="panel table-scroll" w="100%">
      <Table verticalSpacing={dense ? 'xs' : 'sm'} highlightOnHover aria-label={label} captionSide="top">
        {caption && <Table.Caption className="caption">{label}</Table.Caption>}
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th
                key={column.title}
                {...placeOf(column)}
                w={column.width}
                className={column.className}
                aria-sort={sortOf(column, now)}
              >
                <Head column={column} sorting={now} onSort={() => sortBy(column.field ?? column.title)} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => {
            const key = keyOf(row)
            return <DataRow key={key} row={row} columns={columns} active={key === active} {...rowProps} />
          })}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

type HeadProps = {
  column: Pick<Column<never>, 'title' | 'actions' | 'order' | 'field'>
  sorting: Sorting | undefined
  onSort(): void
}

const ARROWS = { ascending: ' ▲', descending: ' ▼', none: '' } as const

/** The heading of a column: a button where a click sorts. */
function Head({ column, sorting, onSort }: HeadProps) {
  const { title, actions = false, order, field } = column
  if (actions) return <VisuallyHidden>{title}</VisuallyHidden>
  if (!order && field === undefined) return title
  return (
    <UnstyledButton fw="inherit" fz="inherit" onClick={onSort}>
      {title}
      <span aria-hidden="true">{ARROWS[sortOf(column, sorting) ?? 'none']}</span>
    </UnstyledButton>
  )
}

function sortOf({ title, order, field }: HeadProps['column'], sorting: Sorting | undefined) {
  if (!order && field === undefined) return undefined
  if (sorting?.by !== (field ?? title)) return 'none'
  return sorting.descending ? 'descending' : 'ascending'
}

type DataRowProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'onPoint' | 'below'> & { row: Row; active: boolean }

const DataRow = memo(function DataRow<Row>({ row, columns, active, onPoint, below }: DataRowProps<Row>) {
  const line = below?.(row)
  return (
    <>
      <Table.Tr
        data-active={active || undefined}
        {...(onPoint && { onMouseEnter: () => onPoint(row), onMouseLeave: () => onPoint(undefined) })}
      >
        {columns.map((column) => (
          <Table.Td key={column.title} {...placeOf(column)} className={cellClass(column)}>
            {column.cell(row)}
          </Table.Td>
        ))}
      </Table.Tr>
      {line && (
        <Table.Tr>
          <Table.Td colSpan={columns.length}>{line}</Table.Td>
        </Table.Tr>
      )}
    </>
  )
})

type Looks = Omit<Column<never>, 'title' | 'cell'>

const placeOf = ({ from, figures, actions }: Looks) => ({
  ...(from && { visibleFrom: from }),
  ...((figures || actions) && { ta: 'right' as const }),
})

const cellClass = ({ figures, breakable, className }: Looks): string =>
  [figures && 'figures', breakable && 'breakable', className].filter(Boolean).join(' ')

type PagerProps = { page: number; limit: number; total: number; onChange(page: number): void }

/** The navigation between pages. Shows nothing when there is only one. */
export function Pager({ page, limit, total, onChange }: PagerProps) {
  const t = useTexts(commonTexts)
  const pages = Math.ceil(total / limit)
  if (pages <= 1) return null
  return (
    <nav aria-label={t.pages}>
      <Pagination
        value={page}
        total={pages}
        onChange={onChange}
        getItemProps={(n) => ({ 'aria-label': t.page(n) })}
        getControlProps={(control) => ({ 'aria-label': control === 'previous' ? t.previous : t.next })}
      />
    </nav>
  )
}
