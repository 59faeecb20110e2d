/** A value of a payload: what JSON can hold. */
export type Cell = null | boolean | number | string | Cell[]

/** A positional array: the given members at their indexes, null elsewhere, cut after the last or padded to `length`. */
export function row(members: Readonly<Record<number, Cell | undefined>>, length = 0): Cell[] {
  const last = Object.entries(members).findLast(([, value]) => value !== undefined)
  const cells: Cell[] = Array.from({ length: Math.max(length, last ? Number(last[0]) + 1 : 0) }, () => null)
  for (const [index, value] of Object.entries(members)) if (value !== undefined) cells[Number(index)] = value
  return cells
}

/** The guard before most bodies of the site. */
export const GUARD = ")]}'\n"

/** A guarded body. */
export const guarded = (value: Cell): string => GUARD + JSON.stringify(value)
