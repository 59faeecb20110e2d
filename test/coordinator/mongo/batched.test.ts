import { setImmediate } from 'node:timers/promises'
import { batched } from '@placefleet/coordinator/mongo/batched'
import { expect, test } from 'vitest'
import { until } from '../../harness/until.ts'

/** Returns a decision whose end the test gives. */
function controlled() {
  const begun: { key: string; count: number; end: (answer: string) => void; fail: (error: Error) => void }[] = []
  const batchedAsk = batched<undefined, string>(async (key, { length: count }) => {
    const decision = Promise.withResolvers<string>()
    begun.push({ key, count, end: decision.resolve, fail: decision.reject })
    const answer = await decision.promise
    return (nth) => `${answer}${nth}`
  })
  const ask = (key: string) => batchedAsk(key, undefined)
  const next = (nth: number) => until(`decision ${nth} has begun`, async () => begun[nth])
  return { ask, begun, next }
}

test('requests during a decision are answered by the next one, in their order', async () => {
  const { ask, begun, next } = controlled()
  const first = ask('key')
  const others = [ask('key'), ask('key')]
  expect(begun).toMatchObject([{ key: 'key', count: 1 }])
  begun[0]?.end('a')
  expect(await first).toBe('a0')
  const second = await next(1)
  expect(second).toMatchObject({ key: 'key', count: 2 })
  second.end('b')
  expect(await Promise.all(others)).toEqual(['b0', 'b1'])
})

test('keys do not wait for each other', async () => {
  const { ask, begun } = controlled()
  const asked = [ask('one'), ask('two')]
  expect(begun).toMatchObject([{ key: 'one' }, { key: 'two' }])
  for (const { end } of begun) end('x')
  expect(await Promise.all(asked)).toEqual(['x0', 'x0'])
})

test('a failure reaches its batch and every request that waits for the next one, and none later', async () => {
  const { ask, begun, next } = controlled()
  const asked = [ask('key'), ask('key'), ask('key')]
  const failure = new Error('no database')
  const failures: unknown[] = []
  for (const call of asked) call.catch((error) => failures.push(error))
  const first = await next(0)
  first.fail(failure)
  await setImmediate() // by then everything has happened that follows from the failure
  expect(failures).toEqual([failure, failure, failure])
  expect(begun).toHaveLength(1)
  const later = ask('key')
  const second = await next(1)
  second.end('b')
  expect(await later).toBe('b0')
})
