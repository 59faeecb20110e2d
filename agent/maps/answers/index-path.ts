/** A list of the site: the position of a member is its meaning, any member may be null, and the tail may be missing. */
export type Node = readonly unknown[]

/** The member at a path of list indexes. Undefined when a step is missing, null or not a list. */
export function getAt(node: unknown, ...path: readonly number[]): unknown {
  let here = node
  for (const index of path) {
    if (!Array.isArray(here)) return undefined
    here = here[index]
  }
  return here ?? undefined
}

/** The text at a path, unchanged. Undefined for another type and for text of white space only. */
export function textAt(node: unknown, ...path: readonly number[]): string | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

/** The finite number at a path. Undefined for another type, including numbers written as text. */
export function numberAt(node: unknown, ...path: readonly number[]): number | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** The safe integer at a path. Undefined for another type. */
export function integerAt(node: unknown, ...path: readonly number[]): number | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined
}

/** The list at a path, or an empty list. */
export function listAt(node: unknown, ...path: readonly number[]): Node {
  const found = getAt(node, ...path)
  return Array.isArray(found) ? found : []
}

/** A point on the globe, in degrees. */
export interface Position {
  latitude: number
  longitude: number
}

/** The point in a list `[…, …, latitude, longitude]`. Undefined when a half is missing or out of range. */
export function positionAt(list: unknown): Position | undefined {
  const latitude = numberAt(list, 2)
  const longitude = numberAt(list, 3)
  if (latitude === undefined || longitude === undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}
