/** The results of a batch: takes the position of a call in the batch, from 0. */
export type Batch<Result> = (nth: number) => Result

/**
 * Batches concurrent calls with the same key. The first call starts a run; calls that arrive while it runs share the
 * next run. So no call gets a result of a run that started before the call, and each key has at most one run at a time.
 * When `run` throws, every call of its batch rejects with that error.
 */
export function batched<Result>(
  run: (key: string, count: number) => Promise<Batch<Result>>,
): (key: string) => Promise<Result> {
  const queues = new Map<string, PromiseWithResolvers<Result>[]>()
  const drain = async (key: string) => {
    for (let batch = queues.get(key); batch && batch.length > 0; batch = queues.get(key)) {
      queues.set(key, [])
      await settle(batch, run(key, batch.length))
    }
    queues.delete(key)
  }
  return (key) => {
    const call = Promise.withResolvers<Result>()
    const queue = queues.get(key)
    if (queue) queue.push(call)
    else {
      queues.set(key, [call])
      void drain(key)
    }
    return call.promise
  }
}

async function settle<Result>(batch: PromiseWithResolvers<Result>[], run: Promise<Batch<Result>>) {
  try {
    const resultOf = await run
    for (const [nth, { resolve }] of batch.entries()) resolve(resultOf(nth))
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
