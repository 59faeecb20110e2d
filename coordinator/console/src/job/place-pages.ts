export const PLACES_PER_PAGE = 100

/** How many pages are read at once, so that a large job stays below the rate limit of a session. */
const AT_ONCE = 4

/** Returns whether all places of a page are stored. Then they never change, because places keep their order. */
export const isFull = (page: { results: readonly unknown[] } | undefined): boolean =>
  page?.results.length === PLACES_PER_PAGE

/** Returns the pages after the first, and which of them may be read now: some at once, in their order. */
export function furtherPages(total: number, dataOf: (page: number) => unknown) {
  const pages = Array.from({ length: Math.max(0, Math.ceil(total / PLACES_PER_PAGE) - 1) }, (_, index) => index + 2)
  const missing = pages.filter((page) => dataOf(page) === undefined)
  const next = new Set(missing.slice(0, AT_ONCE))
  return pages.map((page) => ({ page, enabled: dataOf(page) !== undefined || next.has(page) }))
}

type Results<Place> = readonly { data: { results: readonly Place[] } | undefined; error: unknown }[]

/** Joins pages up to the first that is missing, so that no place is put before another later. */
export function joined<Place>(pages: Results<Place>) {
  const missing = pages.findIndex(({ data }) => data === undefined)
  const loaded = missing < 0 ? pages : pages.slice(0, missing)
  return {
    places: loaded.flatMap(({ data }) => data?.results ?? []),
    error: pages.find(({ error }) => error)?.error,
  }
}
