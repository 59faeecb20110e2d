type Page<Item> = { items: Item[]; has_more: boolean }

/**
 * Yields the items of all pages of a list whose newest items come first. Items that are added meanwhile move others to
 * the next page; they are yielded once.
 */
export async function* itemsOfPages<Item>(
  read: (page: number) => Promise<Page<Item>>,
  idOf: (item: Item) => unknown,
): AsyncGenerator<Item, void> {
  const known = new Set<unknown>()
  for (let page = 1; ; page++) {
    const { items, has_more } = await read(page)
    for (const item of items) {
      if (known.has(idOf(item))) continue
      known.add(idOf(item))
      yield item
    }
    if (!has_more) return
  }
}

/** Yields the items of a list with a cursor, which each request takes from the last item before. */
export async function* itemsBehind<Item, Cursor>(
  read: (after: Cursor | undefined) => Promise<Page<Item>>,
  cursorOf: (item: Item) => Cursor,
  first?: Cursor,
): AsyncGenerator<Item, void> {
  let after = first
  for (;;) {
    const { items, has_more } = await read(after)
    yield* items
    const last = items.at(-1)
    if (!has_more || last === undefined) return
    after = cursorOf(last)
  }
}

/** Returns the first items of a list. Reads only the pages that it needs. */
export async function firstOf<Item>(items: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const first: Item[] = []
  if (limit <= 0) return first
  for await (const item of items) {
    first.push(item)
    if (first.length >= limit) break
  }
  return first
}
