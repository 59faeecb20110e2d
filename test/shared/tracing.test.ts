import { currentTraceparent, traced, traceFields } from '@placefleet/shared/tracing'
import { expect, test } from 'vitest'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('without an endpoint work runs without a trace in documents or logs', async () => {
  const seen = await traced('work', { parent: undefined }, async () => [currentTraceparent(), traceFields()])
  expect(seen).toEqual([undefined, {}])
})

test.each([PARENT, 'nonsense', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', ''])(
  'a parent of %j does not fail the work or change its error',
  async (parent) => {
    expect(await traced('work', { parent }, async () => 7)).toBe(7)
    const failure = new Error('no')
    await expect(traced('work', { parent }, () => Promise.reject(failure))).rejects.toBe(failure)
  },
)
