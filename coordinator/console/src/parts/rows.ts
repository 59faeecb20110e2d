import { useRef } from 'react'

/** What a column sorts by. Rows without a value come last in both directions. */
export type SortValue = string | number | undefined

/** The title of the column that a table is sorted by, or the field of the API, and the direction. */
export type Sorting = { by: string; descending: boolean }

/**
 * Returns the rows in the order of a value. Rows with equal values keep their order; numbers in texts count as numbers.
 */
export function sortedRows<Row>(
  rows: readonly Row[],
  order: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [first, second] = [order(one), order(other)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    if (typeof first === 'number' && typeof second === 'number') return sign * (first - second)
    return sign * String(first).localeCompare(String(second), undefined, { numeric: true })
  })
}

/** Returns the sorting after a click on a head: ascending, then descending, then as the list came. */
export function nextSorting(now: Sorting | undefined, by: string): Sorting | undefined {
  if (now?.by !== by) return { by, descending: false }
  return now.descending ? undefined : { by, descending: true }
}

/**
 * Returns the opened item: as a list shows it now, else as it was when it was last there. So what is open stays open
 * while its list changes.
 */
export function useOpened<Item extends { id: string | number }>(
  items: readonly Item[],
  id: Item['id'] | undefined,
): Item | undefined {
  const last = useRef<Item>(undefined)
  const opened = items.find((item) => item.id === id) ?? (last.current?.id === id ? last.current : undefined)
  last.current = opened
  return opened
}
