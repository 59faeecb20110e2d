import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { abortable, atMostEvery, backoffMs, inTime } from '@placefleet/shared/timing'
import { expect, test } from 'vitest'

const REASON = new Error('the task has ended')

test('awaited work returns its result or throws its failure', async () => {
  const { signal } = new AbortController()

  expect(await abortable(Promise.resolve(7), signal)).toBe(7)
  await expect(abortable(Promise.reject(REASON), signal)).rejects.toBe(REASON)
})

test('waiting ends with the reason of the signal when it aborts', async () => {
  const stopping = new AbortController()
  const waiting = abortable(new Promise<never>(() => undefined), stopping.signal)

  stopping.abort(REASON)

  await expect(waiting).rejects.toBe(REASON)
})

test('work that fails after the signal aborted does not end the process', async () => {
  const module = new URL('../../shared/timing.ts', import.meta.url).href
  const worker = new Worker(
    `import(${JSON.stringify(module)}).then(async ({ abortable }) => {
      await abortable(Promise.reject(new Error('refused')), AbortSignal.abort(new Error('over'))).catch(() => undefined)
    })`,
    { eval: true },
  )

  const [code] = await once(worker, 'exit')

  expect(code).toBe(0)
})

test('a throttled call runs at once, and again after a minute', () => {
  let now = 5
  const said: string[] = []
  const say = atMostEvery(
    60,
    (text: string) => said.push(text),
    () => now,
  )

  for (const at of [5, 6, 64, 65, 66, 130]) {
    now = at
    say(`at ${at}`)
  }

  expect(said).toEqual(['at 5', 'at 65', 'at 130'])
})

test.each([
  { attempt: 0, random: 0.5, ms: 100 },
  { attempt: 1, random: 0.5, ms: 100 },
  { attempt: 2, random: 0.5, ms: 200 },
  { attempt: 4, random: 0.5, ms: 800 },
  { attempt: 5, random: 0.5, ms: 1_000 },
  { attempt: 1, random: 0, ms: 50 },
  { attempt: 5, random: 0.999, ms: 1_499 },
])(
  'before retry $attempt of a wait of 100 ms, at most 1 s, with the chance $random, are $ms ms',
  ({ attempt, random, ms }) => {
    expect(backoffMs(attempt, 100, 1_000, () => random)).toBeCloseTo(ms, 5)
  },
)

test('work that takes longer than its time is not waited for', async () => {
  expect(await inTime(Promise.resolve('done'), 60_000)).toBe('done')
  expect(await inTime(new Promise(() => undefined), 1)).toBeUndefined()
})
