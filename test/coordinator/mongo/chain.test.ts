import { appendToChain, type Chain } from '@placefleet/coordinator/mongo/locks'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'

type Item = { place_key: string }
type Member = Item & { position: number; total: number }

/** No append of this file needs so many inserts. */
const ENDLESS = 1_000

/** Returns a collection with the two unique indexes of a chain, whose every step may be interleaved with others'. */
function memoryChain(step: <Answer>(answer: () => Answer) => Promise<Answer>, cap: number) {
  const members: Member[] = []
  let inserts = 0
  const conflicts = (member: Member) =>
    members.some((other) => other.position === member.position || other.place_key === member.place_key)
  const chain: Chain<Item, Member, Member> = {
    known: (keys) => step(() => members.map((member) => member.place_key).filter((key) => keys.includes(key))),
    last: () => step(() => members.toSorted((one, other) => other.position - one.position)[0]),
    build: (last, items) => {
      const [position, total] = [last?.position ?? 0, last?.total ?? 0]
      const room = items.slice(0, Math.max(0, cap - position))
      return room.map((item, index) => ({ ...item, position: position + index + 1, total: total + index + 1 }))
    },
    insert: (wanted, then) =>
      step(() => {
        if (++inserts > ENDLESS) throw new Error('the append does not end')
        const free = wanted.findIndex(conflicts)
        const inserted = free < 0 ? wanted : wanted.slice(0, free)
        members.push(...inserted)
        return { inserted: inserted.length, ...(then && free < 0 && { isRecorded: true }) }
      }),
  }
  return { chain, members }
}

const keys = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 })

test('in any interleaving positions have no gap, keys are unique, the cap holds and running sums are correct', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(keys, { minLength: 1, maxLength: 4 }),
      fc.nat({ max: 10 }),
      async (s, writers, cap) => {
        const step = <Answer>(answer: () => Answer) => s.schedule(Promise.resolve()).then(answer)
        const { chain, members } = memoryChain(step, cap)
        const appending = writers.map((wanted) =>
          appendToChain(
            chain,
            wanted.map((key) => ({ place_key: String(key) })),
          ),
        )
        await s.waitFor(Promise.all(appending))

        const wanted = new Set(writers.flat())
        expect(members.map((member) => member.position)).toEqual(members.map((_, index) => index + 1))
        expect(members.map((member) => member.total)).toEqual(members.map((_, index) => index + 1))
        expect(new Set(members.map((member) => member.place_key)).size).toBe(members.length)
        expect(members).toHaveLength(Math.min(cap, wanted.size))
      },
    ),
    { numRuns: volume(50, 1_000) },
  )
})

test('appended, known and omitted members add up to the given ones', async () => {
  const { chain } = memoryChain(async (answer) => answer(), 3)
  await appendToChain(chain, [{ place_key: 'a' }])

  const result = await appendToChain(
    chain,
    ['a', 'b', 'c', 'd'].map((place_key) => ({ place_key })),
  )

  expect(result).toMatchObject({
    appended: [{ place_key: 'b' }, { place_key: 'c' }],
    known: [{ place_key: 'a' }],
    left: [{ place_key: 'd' }],
  })
})

test('only a member that the append inserted itself is durable, not one that it read', async () => {
  const { chain } = memoryChain(async (answer) => answer(), 10)
  const items = ['a', 'b'].map((place_key) => ({ place_key }))
  const first = await appendToChain(chain, items)
  expect(first.durable).toMatchObject({ position: 2 })
  expect(await appendToChain(chain, items)).toMatchObject({ last: { position: 2 }, durable: undefined })
})
