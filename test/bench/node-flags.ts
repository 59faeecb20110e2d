import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const MANIFEST = join(import.meta.dirname, '..', '..', 'package.json')

const Manifest = z.object({ scripts: z.object({ agent: z.string(), coordinator: z.string() }) })

/** The flags that users run a part under: those of its script in the package's manifest. */
export function nodeFlags(script: 'agent' | 'coordinator'): string[] {
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(MANIFEST, 'utf8')))
  return scripts[script].split(' ').filter((word) => word.startsWith('--'))
}
