import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOG = join(import.meta.dirname, '..', '..', 'shared', 'log.ts')

const PROGRAM = `
  import { createLogger } from ${JSON.stringify(LOG)}
  const log = createLogger('test', 'info')
  for (let line = 0; line < 10; line++) {
    log.warn({ line, password: 'hidden' }, 'nobody can read this')
    await new Promise((resolve) => setImmediate(resolve))
  }
  process.exit(42)`

test('a full disk or a closed pipe of the log does not end its process', async () => {
  const full = openSync('/dev/full', 'w')
  const args = ['--input-type=module', '--eval', PROGRAM]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', full] })
  expect(await once(child, 'exit')).toEqual([42, null])
})
