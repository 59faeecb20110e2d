/** What a form or query decodes to: `a[b][0]=x` is `{ a: { b: ['x'] } }`. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }

type Node = Map<string, Node | string>

/** Decodes a body of type `application/x-www-form-urlencoded`, or a query, as Stripe's clients write them. */
export function decodeForm(text: string): Record<string, FormValue> {
  const root: Node = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''))
    put(root, path, value)
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, plain(node)]))
}

/** Returns a member that must be text. */
export function textOf(value: FormValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns a member that must be an object; an empty one where it is not. */
export function membersOf(value: FormValue | undefined): Record<string, FormValue> {
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}

/** Returns a member that must be a list; an empty one where it is not. */
export const listOf = (value: FormValue | undefined): FormValue[] => (Array.isArray(value) ? value : [])

function put(node: Node, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(node.size) : name
  if (rest.length === 0) {
    node.set(key, value)
    return
  }
  const known = node.get(key)
  const inner: Node = known instanceof Map ? known : new Map()
  node.set(key, inner)
  put(inner, rest, value)
}

function plain(node: Node | string): FormValue {
  if (typeof node === 'string') return node
  const isList = [...node.keys()].every((key, index) => key === String(index))
  if (isList) return [...node.values()].map(plain)
  return Object.fromEntries([...node].map(([name, inner]) => [name, plain(inner)]))
}
