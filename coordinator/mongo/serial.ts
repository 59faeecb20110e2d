/** Runs work one after the other per key: what is queued under one key never overlaps, different keys do. */
export type Serial = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * An empty queue. It orders the writers of one process only; between processes a unique index decides. Its worth is
 * that rivals in one process wait in line instead of colliding and trying again.
 */
export function createSerial(): Serial {
  const tails = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve()
    const result = before.then(work)
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
    tails.set(key, tail)
    return result
  }
}
