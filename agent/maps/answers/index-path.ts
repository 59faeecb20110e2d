/** A list of the site: position is meaning, any member may be null, and the tail may be cut off. */
export type Node = readonly unknown[]

/** What is at a path of list indexes. Undefined when a step is null, short or no list, or when null is there. */
export function getAt(node: unknown, ...path: readonly number[]): unknown {
  let here = node
  for (const index of path) {
    if (!Array.isArray(here)) return undefined
    here = here[index]
  }
  return here ?? undefined
}

/** The text at a path, as it is there. Undefined for another type and for text of only white space. */
export function textAt(node: unknown, ...path: readonly number[]): string | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

/** The finite number at a path. Undefined for another type, numbers in text included. */
export function numberAt(node: unknown, ...path: readonly number[]): number | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** The integer at a path that a JS number holds exactly. Undefined for another type. */
export function integerAt(node: unknown, ...path: readonly number[]): number | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined
}

/** The list at a path; an empty one where there is none, so that it can be walked at once. */
export function listAt(node: unknown, ...path: readonly number[]): Node {
  const found = getAt(node, ...path)
  return Array.isArray(found) ? found : []
}
