import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const MANIFEST = join(import.meta.dirname, '..', '..', 'package.json')

const Manifest = z.object({ scripts: z.object({ agent: z.string(), coordinator: z.string(), start: z.string() }) })

/** The flags and environment variables that Node starts with. */
export type NodeRuntime = { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> }

/** Node without flags. */
export const PLAIN_NODE: NodeRuntime = { flags: [], env: {} }

/** The flags and variables of a part's script in package.json, as users run it. */
export function nodeRuntime(script: 'agent' | 'coordinator' | 'start'): NodeRuntime {
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(MANIFEST, 'utf8')))
  const words = scripts[script].split(' ')
  const variables = words.flatMap((word) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  // The flags are between the program and its script.
  return { flags: words.slice(words.indexOf('node') + 1, -1), env: Object.fromEntries(variables) }
}
