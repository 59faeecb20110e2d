/** Waits for work of others until the signal aborts; then throws its reason. The work itself may go on. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined) // once the signal aborted nobody waits for it, and its failure must not end the process
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
