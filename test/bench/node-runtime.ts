import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const MANIFEST = join(import.meta.dirname, '..', '..', 'package.json')

const Manifest = z.object({ scripts: z.object({ agent: z.string(), coordinator: z.string(), start: z.string() }) })

/** What Node is started with: its flags, and variables of its environment. */
export type NodeRuntime = { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> }

/** Node as it is by itself. */
export const PLAIN_NODE: NodeRuntime = { flags: [], env: {} }

/** What users run a part with: the flags and variables of its script in the package's manifest. */
export function nodeRuntime(script: 'agent' | 'coordinator' | 'start'): NodeRuntime {
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(MANIFEST, 'utf8')))
  const words = scripts[script].split(' ')
  const variables = words.flatMap((word) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  // The flags stand between the program and its script.
  return { flags: words.slice(words.indexOf('node') + 1, -1), env: Object.fromEntries(variables) }
}
