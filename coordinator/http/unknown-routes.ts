import { AppError } from './errors.ts'
import type { Server } from './typed-server.ts'

type KnownPath = { segments: string[]; methods: Set<string> }

/**
 * Answers calls that meet no route: 405 with `Allow` where the path is known with another method, else 404. Install it
 * before any route and after what must come first for every request.
 */
export function refuseUnknownRoutes(app: Server): void {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return // a folder of files: what is not in it is just not there
    const known = paths.get(url) ?? { segments: url.split('/'), methods: new Set() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  const refuse = (url: string): never => {
    const exact = paths.get(pathOf(url))
    const segments = pathOf(url).split('/')
    const matching = exact ? [exact] : [...paths.values()].filter((path) => matches(path.segments, segments))
    if (matching.length === 0) throw new AppError('not_found', 'There is no such path. See /docs for all there are.')
    const allow = [...new Set(matching.flatMap((path) => [...path.methods]))].sort().join(', ')
    throw new AppError('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } })
  }
  app.addHook('onRequest', async ({ is404, method, url }) => {
    const exact = paths.get(pathOf(url)) // `GET /jobs/estimates` means no job of that name
    if (is404 || (exact && !exact.methods.has(method))) refuse(url)
  })
  app.setNotFoundHandler((request) => refuse(request.url))
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
}
