import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const SRC = join(ROOT, 'coordinator/console/src')
const STYLES = join(ROOT, 'node_modules/@mantine/core/styles')

test('every component of Mantine that the console uses has its styles', () => {
  const styles = readFileSync(join(SRC, 'styles.css'), 'utf8')
  const used = globSync('**/*.tsx', { cwd: SRC }).flatMap((file) => {
    const source = readFileSync(join(SRC, file), 'utf8')
    const names = /import \{([^}]*)\} from '@mantine\/core'/.exec(source)?.[1] ?? ''
    return names.split(',').map((name) => name.trim())
  })
  const missing = [...new Set(used)].filter(
    (name) => existsSync(join(STYLES, `${name}.css`)) && !styles.includes(`styles/${name}.css`),
  )
  expect(missing).toEqual([])
})
