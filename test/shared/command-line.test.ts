import { checkOptions, explainEnd, reasonOf, UsageError } from '@placefleet/shared/command-line'
import { ConfigError } from '@placefleet/shared/config'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

/** What is written to stderr for a failure, and the exit code. */
function end(error: unknown, logLevel?: string): { code: number; err: string } {
  const written = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => written.mockRestore())
  const code = explainEnd(error, 'Usage: npm run it\n', logLevel)
  return { code, err: written.mock.calls.flat().join('\n') }
}

test('an error that the operator can fix is one sentence, with a stack only on request', () => {
  const error = new ConfigError('PORT: must be a port')
  expect(end(error)).toEqual({ code: 1, err: 'PORT: must be a port' })
  expect(end(error, 'debug').err).toContain('    at ')
})

test('an internal error has its stack and those of its causes, and no member that may hold a secret', () => {
  const cause = Object.assign(new Error('inner'), { input: 'sesame' })
  const { code, err } = end(new TypeError('x is not a function', { cause }))
  expect(code).toBe(1)
  expect(err).toMatch(/^TypeError: x is not a function\n {4}at [\s\S]*\nCaused by: Error: inner\n {4}at /)
  expect(err).not.toContain('sesame')
})

test('a wrong option ends with 2, its fault and the usage', () => {
  const check = () => checkOptions(z.object({ places: z.coerce.number().max(5, 'must be 5 at most') }), { places: '6' })
  expect(check).toThrow(UsageError)
  expect(end(new UsageError('--places: must be 5 at most'))).toEqual({
    code: 2,
    err: '--places: must be 5 at most\n\nUsage: npm run it',
  })
})

test.each([
  [new Error('plain'), 'plain'],
  [new AggregateError([new Error('one refused'), new Error('two refused')]), 'one refused, two refused'],
  [Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['text', 'text'],
])('the reason of %j is %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
