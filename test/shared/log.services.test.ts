import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { errorFields } from '@placefleet/shared/log'
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

test('an error is logged with its type, message, stack and plain members, not with the documents that it holds', () => {
  const writeErrors = Array.from({ length: 1_000 }, (_, index) => ({ index, err: { op: { _id: index } } }))
  const error = Object.assign(new TypeError('refused'), {
    code: 11_000,
    writeErrors,
    result: { insertedIds: writeErrors },
  })
  expect(errorFields(error)).toEqual({ type: 'TypeError', message: 'refused', stack: error.stack, code: 11_000 })

  const cause = new Error('why')
  expect(errorFields(new Error('what', { cause })).stack).toContain('caused by: Error: why')
})

test('a full disk or a closed pipe of the log does not end its process', async () => {
  const full = openSync('/dev/full', 'w')
  const args = ['--input-type=module', '--eval', PROGRAM]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', full] })
  expect(await once(child, 'exit')).toEqual([42, null])
})
