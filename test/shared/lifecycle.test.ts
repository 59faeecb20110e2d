import { createSerial } from '@placefleet/coordinator/mongo/locks'
import { createLifecycle, every } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { expect, test } from 'vitest'
import { capturedLog } from '../harness/captured-log.ts'

const log = createLogger('test', 'silent')

test('opened parts are closed newest first, once, also after a failing close', async () => {
  const life = createLifecycle(log)
  const closed: string[] = []
  life.own('first', 'a', (name) => void closed.push(name))
  life.own('second', 'b', () => Promise.reject(new Error('stuck')))
  life.own('third', 'c', (name) => void closed.push(name))

  await Promise.all([life.close(), life.close()])

  expect(closed).toEqual(['c', 'a'])
})

test('parts share the time of a stop: a slow one is left behind, and the others are closed', async () => {
  const { log, lines } = capturedLog()
  const life = createLifecycle(log)
  const closed: string[] = []
  const never = () => new Promise<never>(() => undefined)
  life.own('first', 'a', (name) => void closed.push(name))
  life.own('endless', 'b', never)
  life.own('second', 'c', (name) => void closed.push(name))

  expect(await life.closeWithin(20)).toBe(false)

  expect(closed).toEqual(['c', 'a'])
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'closing endless takes too long; the process ends without it',
  ])
})

test('a loop continues after a failure, runs at once when woken, and stops only after its current run', async () => {
  let runs = 0
  const third = Promise.withResolvers<void>()
  const loop = every(3_600_000, 'test', log, async () => {
    runs++
    if (runs === 1) throw new Error('once')
    if (runs === 3) third.resolve()
  })
  const waking = setInterval(() => loop.wake(), 1)
  await third.promise
  clearInterval(waking)
  await loop.stop()
  const after = runs
  loop.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(runs).toBe(after)
})

test('a loop that keeps failing logs its failure once a minute, and at once when the failure is another', async () => {
  const { log, lines } = capturedLog()
  const failures = [...Array(5).fill('down'), ...Array(5).fill('full')]
  const over = Promise.withResolvers<void>()
  const loop = every(1, 'test', log, async () => {
    const failure = failures.shift()
    if (failure === undefined) return over.resolve()
    throw new Error(failure)
  })
  await over.promise
  await loop.stop()

  const logged = lines.map((line) => JSON.parse(line)).map(({ msg, failures }) => ({ msg, failures }))
  expect(logged).toEqual([
    { msg: 'test failed; retrying', failures: 1 },
    { msg: 'test failed; retrying', failures: 6 },
    { msg: 'test works again', failures: 10 },
  ])
})

test('work under one key never overlaps and keeps its order, also after a failure', async () => {
  const serial = createSerial()
  const trace: string[] = []
  const work =
    (name: string, fails = false) =>
    async () => {
      trace.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      trace.push(`${name} ends`)
      if (fails) throw new Error(name)
    }
  const first = serial('key', work('one', true))
  const second = serial('key', work('two'))
  await expect(first).rejects.toThrow('one')
  await second
  expect(trace).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})
