/** A JSON value of a payload. */
export type Cell = null | boolean | number | string | readonly Cell[]

/** The members of an array by index. */
export type Members = Readonly<Record<number, Cell | undefined>>

/** Returns an array with the members at their indexes and null elsewhere, padded with null to `length`. */
export function row(members: Members, length = 0): Cell[] {
  const cells = new Array<Cell>(length).fill(null)
  // Integer keys are iterated in ascending order, so each gap is filled before the next member.
  for (const key in members) {
    const value = members[key]
    if (value === undefined) continue
    const index = Number(key)
    while (cells.length <= index) cells.push(null)
    cells[index] = value
  }
  return cells
}

const TEXTS = new WeakMap<readonly Cell[], string>()

/** Computes the JSON of an array once, for all answers that contain this array. Nobody may change it afterwards. */
export function withText(cells: Cell[]): Cell[] {
  TEXTS.set(cells, JSON.stringify(cells))
  return cells
}

/** Returns the JSON of a payload, faster than JSON.stringify if most of it has its text already. */
export const textOf = (cell: Cell): string =>
  typeof cell === 'object' && cell !== null ? (TEXTS.get(cell) ?? `[${cell.map(textOf).join()}]`) : JSON.stringify(cell)

/** The prefix of most bodies of the site. It prevents their use as scripts. */
export const GUARD = ")]}'\n"

/** Returns a guarded body. */
export const guarded = (value: unknown): string => GUARD + JSON.stringify(value)
