import { UnknownAnswer } from '@placefleet/shared/unknown-answer'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { createUnknownAnswers } from '../fleet/unknown-answers.ts'

/** An answer of the map site that no agent understood, as operators see it. */
export const ShownUnknownAnswer = UnknownAnswer.extend({
  agent: z.string().describe('the name of the agent that got it last'),
  seen_at: z.iso.datetime().describe('when it came last'),
}).meta({
  id: 'UnknownAnswer',
  description: 'An answer of the map site that no agent understood.',
  examples: [
    {
      id: '0a1b2c3d4e5f6071',
      path: '/maps/preview/place',
      status: 200,
      text: '<html><title>Something new</title>',
      agent: 'home',
      seen_at: '2026-03-02T09:15:00.000Z',
    },
  ],
})
export type ShownUnknownAnswer = z.infer<typeof ShownUnknownAnswer>

/** Lists the answers that no agent understood, latest first, at most fifty. */
export async function listUnknownAnswers(db: Db): Promise<ShownUnknownAnswer[]> {
  const answers = await createUnknownAnswers(db).list()
  return answers.map((answer) => ({ ...answer, seen_at: answer.seen_at.toISOString() }))
}
