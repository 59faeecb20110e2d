/** The results of a batch, by the position of a call in the batch, from 0. */
export type Batch<Result> = (nth: number) => Result

/**
 * Batches concurrent calls with the same key. The first call starts a run; calls that arrive while it runs share the
 * next run. So no call gets a result of a run that started before the call, and each key has at most one run at a time.
 * When `run` throws, every call of its batch rejects with that error, and so does every call that waits for the next
 * run: while the database is down, a second run would make it wait as long again.
 */
export function batched<Call, Result>(
  run: (key: string, calls: readonly Call[]) => Promise<Batch<Result>>,
): (key: string, call: Call) => Promise<Result> {
  type Waiting = PromiseWithResolvers<Result> & { call: Call }
  const queues = new Map<string, Waiting[]>()
  const drain = async (key: string) => {
    for (let batch = queues.get(key); batch && batch.length > 0; batch = queues.get(key)) {
      queues.set(key, [])
      try {
        const resultOf = await run(
          key,
          batch.map(({ call }) => call),
        )
        for (const [nth, { resolve }] of batch.entries()) resolve(resultOf(nth))
      } catch (error) {
        for (const { reject } of [...batch, ...(queues.get(key) ?? [])]) reject(error)
        queues.set(key, [])
      }
    }
    queues.delete(key)
  }
  return (key, call) => {
    const waiting = { call, ...Promise.withResolvers<Result>() }
    const queue = queues.get(key)
    if (queue) queue.push(waiting)
    else {
      queues.set(key, [waiting])
      void drain(key)
    }
    return waiting.promise
  }
}

/** Batches all concurrent calls, whatever they are about. Otherwise as `batched`. */
export function batchedTogether<Call, Result>(
  run: (calls: readonly Call[]) => Promise<Batch<Result>>,
): (call: Call) => Promise<Result> {
  const queue = batched<Call, Result>((_all, calls) => run(calls))
  return (call) => queue('all', call)
}
