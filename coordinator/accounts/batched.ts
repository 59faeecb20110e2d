/** What was decided for a batch: the answer to the nth that asked, counted from 0. */
export type Decided<Answer> = (nth: number) => Answer

/**
 * Decides together what is asked about the same key at the same time: the first to ask begins a decision, and all who
 * come while it is under way wait for the next. So nobody gets an answer that was begun before they asked, and a key
 * that is asked about ever so often has one decision under way. What `decide` throws, all of its batch get.
 */
export function batched<Answer>(
  decide: (key: string, count: number) => Promise<Decided<Answer>>,
): (key: string) => Promise<Answer> {
  const waiting = new Map<string, PromiseWithResolvers<Answer>[]>()
  const work = async (key: string) => {
    for (let batch = waiting.get(key); batch && batch.length > 0; batch = waiting.get(key)) {
      waiting.set(key, [])
      await settle(batch, decide(key, batch.length))
    }
    waiting.delete(key)
  }
  return (key) => {
    const asked = Promise.withResolvers<Answer>()
    const others = waiting.get(key)
    if (others) others.push(asked)
    else {
      waiting.set(key, [asked])
      void work(key)
    }
    return asked.promise
  }
}

async function settle<Answer>(batch: PromiseWithResolvers<Answer>[], decision: Promise<Decided<Answer>>) {
  try {
    const answerOf = await decision
    for (const [nth, { resolve }] of batch.entries()) resolve(answerOf(nth))
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
