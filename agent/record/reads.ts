/** A view of a value that notes which members are read. */
interface ReadTracker {
  readonly view: unknown
  /** Returns a copy in which every text that was not read has the same shape, and no meaning. */
  masked(replace: (text: string) => string): unknown
}

/** Watches which members of parsed JSON a parser reads. */
export function watch(root: unknown): ReadTracker {
  const reads = new Map<object, Set<string>>()
  const view = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    return new Proxy(value, {
      get(target, name, receiver) {
        const names = reads.get(target) ?? new Set()
        reads.set(target, names.add(String(name)))
        return view(Reflect.get(target, name, receiver))
      },
    })
  }
  const masked = (value: unknown, isRead: boolean, replace: (text: string) => string): unknown => {
    if (typeof value === 'string') return isRead ? replace(value) : maskOf(value)
    if (typeof value !== 'object' || value === null) return value
    const names = reads.get(value)
    const copy = (member: unknown, name: string) => masked(member, names?.has(name) ?? false, replace)
    if (Array.isArray(value)) return value.map((member, index) => copy(member, String(index)))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member, name)]))
  }
  return {
    view: view(root),
    masked: (replace) => masked(root, true, replace),
  }
}

/** Returns a text of the same length without letters and digits of its own. */
export const maskOf = (text: string): string => text.replace(/\p{L}/gu, 'x').replace(/\p{Nd}/gu, '0')
