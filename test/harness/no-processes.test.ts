import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

test('a test without a suffix starts no process, and is told which suffix would let it', () => {
  expect(() => spawn(process.execPath, ['--version'])).toThrow('end its name with .services.test.ts')
})
