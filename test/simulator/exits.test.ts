import { createExits } from '@placefleet/deploy/simulation/map-site/exits'
import { fullOptions, type SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { expect, test } from 'vitest'

const EXIT = '127.0.0.1'

/** An exit's requests at moments of a clock (milliseconds): for each, how long the site refuses it. */
function refusals(rules: Partial<SiteOptions>, moments: readonly number[]): (number | undefined)[] {
  let now = 0
  const exits = createExits(() => now)
  const options = fullOptions(rules)
  return moments.map((moment) => {
    now = moment
    const block = exits.judge(EXIT, options)
    return block && block.until - now
  })
}

const rateLimit = { requests: 2, windowMs: 1_000, blockMs: 10_000 }

test('a limit counts over a window, and its block ends', () => {
  expect(refusals({ rateLimit }, [0, 1, 2_000, 2_001])).toEqual([undefined, undefined, undefined, undefined])
  expect(refusals({ rateLimit }, [0, 1, 2, 5_002, 10_002, 10_003])).toEqual([
    undefined,
    undefined,
    10_000,
    5_000,
    undefined,
    undefined,
  ])
})

test('asking during a block that grows starts it anew, and the next one is twice as long', () => {
  const moments = [0, 1, 2, 5_002, 14_000, 24_000, 24_001, 24_002]
  expect(refusals({ rateLimit, blockGrows: true }, moments)).toEqual([
    undefined,
    undefined,
    10_000,
    10_000,
    10_000,
    undefined,
    undefined,
    20_000,
  ])
})

test('rules that name addresses concern these alone', () => {
  expect(refusals({ rateLimit: { ...rateLimit, addresses: ['127.0.0.2'] } }, [0, 1, 2])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
