const ENTITIES: readonly (readonly [string, string])[] = [
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]

/**
 * The request that a page announces in its head (`<link rel="preload" as="fetch">`) for this path, entities undone.
 * Undefined when there is none, as on pages that were scrolled.
 */
export function preloadUrl(html: string, path: string): string | undefined {
  for (const [link] of html.matchAll(/<link\s[^<>]*>/g)) {
    const href = /\shref\s*=\s*["']([^"']*)["']/.exec(link)?.[1]
    if (href === undefined || !/\bas\s*=\s*["']?fetch\b/.test(link)) continue
    const plain = ENTITIES.reduce((text, [entity, character]) => text.replaceAll(entity, character), href)
    if (URL.parse(plain, 'https://www.google.com')?.pathname === path) return plain
  }
  return undefined
}

/** The `pb` of a request's URL, decoded. */
export function pbOf(url: string): string | undefined {
  return URL.parse(url, 'https://www.google.com')?.searchParams.get('pb') ?? undefined
}
