import { UnknownAnswer } from '@placefleet/shared/protocol'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { deploymentOf } from '../mongo/connect.ts'
import { ContractViolation } from './call.ts'

/** An unknown answer, and when an agent last sent it. */
type KeptAnswer = UnknownAnswer & { agent: string; seen_at: Date }

/** All of them are one document, so that one write adds some and drops the oldest. */
type KeptAnswers = { _id: 'unknown_answers'; answers: KeptAnswer[] }

/** The answers of the map site that no agent understood. */
export type UnknownAnswers = {
  /**
   * Keeps answers of an agent. One that is kept already is replaced, and the oldest above fifty are dropped.
   * @throws ContractViolation when an answer is invalid.
   */
  record(agent: string, answers: readonly unknown[]): Promise<void>
  /** Returns the kept answers, the latest first. */
  list(): Promise<KeptAnswer[]>
}

/** The most answers that are kept: one megabyte. */
const MOST = 50
const MOST_AT_ONCE = 10

const Sent = z.array(UnknownAnswer).max(MOST_AT_ONCE)

/** Creates the store over a database. */
export function createUnknownAnswers(db: Db): UnknownAnswers {
  const deployment = deploymentOf<KeptAnswers>(db)
  return {
    async record(agent, answers) {
      if (answers.length === 0) return
      const sent = Sent.safeParse(answers)
      if (!sent.success) throw new ContractViolation('an invalid unknown answer')
      const ids = sent.data.map(({ id }) => id)
      const others = {
        $filter: { input: { $ifNull: ['$answers', []] }, cond: { $not: { $in: ['$$this.id', ids] } } },
      }
      // A literal, because the text of an answer may begin with a dollar sign.
      const added = sent.data.map((answer) => ({
        $mergeObjects: [{ $literal: { ...answer, agent } }, { seen_at: '$$NOW' }],
      }))
      const all = { $concatArrays: [others, added] }
      await deployment.updateOne({ _id: 'unknown_answers' }, [{ $set: { answers: { $slice: [all, -MOST] } } }], {
        upsert: true,
      })
    },
    async list() {
      const document = await deployment.findOne({ _id: 'unknown_answers' })
      return (document?.answers ?? []).toReversed()
    },
  }
}
