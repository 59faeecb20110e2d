import type { Place, Question, ReviewTopic, SimilarPlace } from '@placefleet/shared/place'
import { filled, getAt, integerAt, lineAt, listAt, omitUndefined, paragraphAt, readEach } from '../../answers/values.ts'
import { ratingOf, titleOf } from './summary.ts'

const MAX_QUESTIONS = 50
const MAX_ANSWERS = 50
const MAX_SIMILAR = 50
const MAX_TOPICS = 100
const MAX_COUNT = 1_000_000_000

export function readVisitors(node: unknown): Partial<Place> {
  return {
    time_spent: lineAt(node, 117, 0),
    questions: filled(readEach(listAt(node, 126, 0), readQuestion), MAX_QUESTIONS),
    review_topics: filled(readEach(listAt(node, 153, 0), readTopic), MAX_TOPICS),
    also_searched: filled(
      readEach(
        listAt(node, 99, 0).flatMap((group) => listAt(group, 1)),
        readSimilar,
      ),
      MAX_SIMILAR,
    ),
  }
}

// [question, answers, number of answers]; the text of both is at [2].
function readQuestion(member: unknown): Question | undefined {
  const question = paragraphAt(member, 0, 2)
  const answers = readEach(listAt(member, 1), (answer) => paragraphAt(answer, 2)).slice(0, MAX_ANSWERS)
  return question === undefined ? undefined : { question, answers }
}

function readTopic(member: unknown): ReviewTopic | undefined {
  const topic = lineAt(member, 1)
  const count = integerAt(member, 3, 4)
  return topic === undefined || count === undefined || count < 0 || count > MAX_COUNT ? undefined : { topic, count }
}

// [data id, node]. The site names only the first of them.
function readSimilar(member: unknown): SimilarPlace | undefined {
  const node = getAt(member, 1)
  const title = titleOf(node)
  return title === undefined ? undefined : omitUndefined({ title, place_id: lineAt(node, 78), rating: ratingOf(node) })
}
