type Page<Item> = { items: Item[]; has_more: boolean }

/** The items of all pages of a list, each page read when its first item is asked for. */
export async function* itemsOf<Item>(read: (page: number) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  for (let page = 1; ; page++) {
    const { items, has_more } = await read(page)
    yield* items
    if (!has_more) return
  }
}

/** The first items of a list. No page is read that is not needed. */
export async function firstOf<Item>(items: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length === limit) break
  }
  return found
}
