/** A value of a payload: what JSON can hold. */
export type Cell = null | boolean | number | string | Cell[]

/** A positional array: the given members at their indexes, null elsewhere, cut after the last or padded to `length`. */
export function row(members: Readonly<Record<number, Cell | undefined>>, length = 0): Cell[] {
  const cells = new Array<Cell>(length).fill(null)
  // Whole-number keys come in rising order, so each gap is filled before the next member.
  for (const key in members) {
    const value = members[key]
    if (value === undefined) continue
    const index = Number(key)
    while (cells.length <= index) cells.push(null)
    cells[index] = value
  }
  return cells
}

/** The guard before most bodies of the site. */
export const GUARD = ")]}'\n"

/** A guarded body. */
export const guarded = (value: Cell): string => GUARD + JSON.stringify(value)
