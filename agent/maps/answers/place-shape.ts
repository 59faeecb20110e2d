import { placeKey } from '@placefleet/shared/place-key'
import type { Node } from './values.ts'

// What a place looks like, wherever the site puts it. For payloads whose usual paths hold nothing.

/** Where a node of a place has its key, first as all captures have it. Its title comes next. */
const KEY_AT = [10, 9, 11] as const

const isKey = (value: unknown): boolean => placeKey(value) !== undefined

function asPlaceNode(value: unknown): Node | undefined {
  if (!Array.isArray(value)) return undefined
  const list: Node = value
  const at = KEY_AT.find((index) => isKey(list[index]) && typeof list[index + 1] === 'string')
  if (at === undefined) return undefined
  const [usual] = KEY_AT
  return at > usual ? list.slice(at - usual) : [...Array<null>(usual - at).fill(null), ...list]
}

/** Finds the nodes of places in a payload, in its order, but none inside another. */
export function placeNodesIn(payload: Node): Node[] {
  const nodes: Node[] = []
  walk(payload, (list) => {
    const node = asPlaceNode(list)
    if (node) nodes.push(node)
    return node === undefined
  })
  return nodes
}

export function holdsKey(payload: Node): boolean {
  let holds = false
  walk(payload, (list) => {
    holds ||= list.some(isKey)
    return !holds
  })
  return holds
}

/**
 * Visits a list and those in it while `visit` returns true. Without recursion, because a stranger decides how deep they
 * are.
 */
function walk(payload: Node, visit: (list: Node) => boolean): void {
  const waiting: Node[] = [payload]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!visit(next)) continue
    for (const member of next.toReversed()) if (Array.isArray(member)) waiting.push(member)
  }
}
