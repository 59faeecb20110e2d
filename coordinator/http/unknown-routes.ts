import { AppError } from './errors.ts'
import type { Server } from './typed-server.ts'

type KnownPath = { segments: string[]; methods: Set<string> }

/**
 * Answers requests that match no route: 405 with `Allow` when the path exists with another method, else 404. Register
 * it before any route, and after the hooks that must run first.
 */
export function refuseUnknownRoutes(app: Server): void {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return // a folder of static files: a missing file is a 404
    const known = paths.get(url) ?? { segments: url.split('/'), methods: new Set() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  const refuse = (url: string): never => {
    const exact = paths.get(pathOf(url))
    const segments = pathOf(url).split('/')
    const matching = exact ? [exact] : [...paths.values()].filter((path) => matches(path.segments, segments))
    if (matching.length === 0) throw new AppError('not_found', 'This path does not exist. See /docs for all paths.')
    const allow = [...new Set(matching.flatMap((path) => [...path.methods]))].sort().join(', ')
    throw new AppError('method_not_allowed', `This path accepts ${allow}.`, { headers: { allow } })
  }
  app.addHook('onRequest', async ({ is404, method, url }) => {
    const exact = paths.get(pathOf(url)) // `GET /jobs/estimates` must not look up a job named `estimates`
    if (is404 || (exact && !exact.methods.has(method))) refuse(url)
  })
  app.setNotFoundHandler((request) => refuse(request.url))
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
}
