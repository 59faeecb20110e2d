import { harmless, shortened, table } from '@placefleet/shared/commands/table'
import { UnknownAnswer } from '@placefleet/shared/protocol'
import { z } from 'zod'
import { createUnknownAnswers } from '../../fleet/unknown-answers.ts'
import { type Operation, operation } from '../operation.ts'

const ShownUnknownAnswer = UnknownAnswer.extend({
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

const UnknownAnswerList = z.object({ answers: z.array(ShownUnknownAnswer) }).meta({
  id: 'UnknownAnswerList',
  description: 'Answers of the map site that no agent understood, latest first.',
  examples: [{ answers: ShownUnknownAnswer.meta()?.examples ?? [] }],
})

const BEGINNING = 60

const list = operation({
  name: 'listUnknownAnswers',
  method: 'GET',
  path: '/unknown-answers',
  topic: 'fleet',
  summary: 'List the last answers of the map site that no agent understood',
  answer: UnknownAnswerList,
  meaning: 'The answers',
  async run({ db }) {
    const answers = await createUnknownAnswers(db).list()
    return { answers: answers.map((answer) => ({ ...answer, seen_at: answer.seen_at.toISOString() })) }
  },
  command: {
    words: 'unknown-answers',
    about: 'answers of the map site that no agent understood; --json prints them whole',
    options: z.object({}),
    input: () => ({}),
    json: ({ answers }) => answers,
    text({ answers }) {
      const rows = answers.map(({ seen_at, agent, status, path, text }) => [
        new Date(seen_at),
        shortened(agent),
        status,
        shortened(path),
        harmless(text.slice(0, BEGINNING)),
      ])
      return table(['last seen', 'agent', 'status', 'path', 'begins with'], rows, 'No unknown answers.')
    },
  },
})

export const unknownAnswerOperations: Operation[] = [list]
