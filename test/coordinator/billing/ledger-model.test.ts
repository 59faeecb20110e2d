import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { play, type Story, stories } from './ledger-story.ts'
import { memoryLedger } from './memory-ledger.ts'

test('every account adds up after concurrent calls on two replicas with crashes between any two writes', async () => {
  const run = async (scheduler: fc.Scheduler, story: Story) => {
    const store = memoryLedger((entry) => {
      // The invariants hold at every instant, so they are checked at every write.
      expect(entry.balance_after).toBeGreaterThanOrEqual(0)
      expect(entry.held_after).toBeGreaterThanOrEqual(0)
      expect(entry.held_after).toBeLessThanOrEqual(entry.balance_after)
    })
    await play(scheduler, store, 'user', story)
  }
  await fc.assert(fc.asyncProperty(fc.scheduler(), stories, run), { numRuns: volume(100, 3_000) })
})
