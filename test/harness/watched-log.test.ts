import { expect, test } from 'vitest'
import { watchedLog } from './watched-log.ts'

const ERROR = { level: 50, msg: 'a request failed' }

test.each([
  { what: 'a warning', line: { level: 40, msg: 'slow' }, expected: '', fails: false },
  { what: 'an error', line: ERROR, expected: '', fails: true },
  { what: 'an error that is expected', line: ERROR, expected: 'request failed', fails: false },
  { what: 'another error than the expected one', line: ERROR, expected: 'was not compared', fails: true },
  { what: 'the end of a process', line: { level: 60, msg: 'out of memory' }, expected: '', fails: true },
])('$what in the log of a product fails its test: $fails', ({ line, expected, fails }) => {
  const { expectError, logged, check } = watchedLog()
  if (expected !== '') expectError(expected)
  logged(`(node:1) a warning of Node\n${JSON.stringify(line)}\n{"level":50,"msg":"cut`)
  if (fails) expect(check).toThrow(line.msg)
  else check()
})

test('errors that a part logs in this process fail its test too', () => {
  const { log, check } = watchedLog()
  log.warn('slow')
  check()
  log.error({ err: new Error('down') }, 'a request failed')
  expect(check).toThrow(/a request failed/)
})
