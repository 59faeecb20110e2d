/** Yields the items of a stream in lists of `size`; the last one may be shorter. */
export async function* batches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let some: Item[] = []
  for await (const item of items) {
    if (some.push(item) < size) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
