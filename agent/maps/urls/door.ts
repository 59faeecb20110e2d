/**
 * The kinds of addresses of the map site. `front`: its front page. `data`: the lists that a page in Chromium asks for.
 */
export type Door = 'front' | 'search' | 'place' | 'reviews' | 'photos' | 'data' | 'other'

const DOORS: readonly (readonly [RegExp, Door])[] = [
  [/^\/maps\/preview\/place$|^\/maps\/place\//, 'place'],
  [/^\/search$|^\/maps\/search\//, 'search'],
  [/\/GetLocalBoqProxy$/, 'reviews'],
  [/\/batchexecute$/, 'data'],
  [/^\/(maps\/?)?$/, 'front'],
]

export function doorOf(url: string | URL): Door {
  const path = URL.parse(String(url))?.pathname ?? ''
  return DOORS.find(([paths]) => paths.test(path))?.[1] ?? 'other'
}
