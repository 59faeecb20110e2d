import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../coordinator/clients/python/placefleet')

/** The folder of the blocking half of the Python client. */
export const SYNC_FOLDER = join(PACKAGE, '_sync')

/** What a file is without `async`, in this order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^from anyio import sleep$/gm, 'from time import sleep'],
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(enter|exit)__\b/g, '__$1__'],
  [/\ba(iter_bytes|read|close)\b/g, '$1'],
]

const HEAD = '# Made from ../_async by `npm run generate`; do not edit.\n'

/** Returns the files of the blocking client by name: those of the asynchronous one, without what makes them so. */
export function syncFiles(): Map<string, string> {
  const folder = join(PACKAGE, '_async')
  const names = readdirSync(folder).filter((name) => name.endsWith('.py'))
  return new Map(names.map((name) => [name, HEAD + withoutAsync(readFileSync(join(folder, name), 'utf8'))]))
}

const withoutAsync = (source: string): string =>
  REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source)
