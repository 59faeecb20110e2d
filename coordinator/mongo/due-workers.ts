import { canFail, type Logger } from '@placefleet/shared/log'
import type { Due, Held } from './due-work.ts'

/** Work on a document. It stops between two of its writes when the signal aborts, and is done again later. */
export type DueWork<Doc> = (document: Held<Doc>, signal: AbortSignal) => Promise<unknown>

type DueWorkersOptions<Doc extends Due> = {
  /** What they work on, in a log: `the job`. */
  name: string
  log: Logger
  queue: {
    take(): Promise<Held<Doc> | undefined>
    takeOne(_id: string): Promise<Held<Doc> | undefined>
    renew(document: Held<Doc>): Promise<boolean>
  }
  /** How many documents one coordinator works on at the same time. */
  atOnce: number
  /** How often a lease is renewed: several times while it lasts. */
  renewMs: number
  work: DueWork<Doc>
}

export type DueWorkers = {
  /**
   * Takes what is due while a worker is free, and starts the work on it. Each worker goes on until nothing is due. Does
   * not wait for their work.
   */
  start(): Promise<void>
  /** The same for one document, if it is due. */
  startOne(_id: string): Promise<void>
  /** Resolves when no worker is at work. */
  idle(): Promise<void>
  /** Starts nothing more, aborts the signals of the work, and waits for its end. */
  stop(): Promise<void>
}

/**
 * Creates the workers of a queue. The work on a document goes on while its lease lasts: it is renewed all the time, and
 * whoever lost it stops. A failure is logged; the work is due again when the lease ends.
 */
export function createDueWorkers<Doc extends Due>(options: DueWorkersOptions<Doc>): DueWorkers {
  const { name, log, queue, atOnce, renewMs, work } = options
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()

  const underLease = async (document: Held<Doc>): Promise<void> => {
    const lost = new AbortController()
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    const renew = async () => {
      if (!(await queue.renew(document))) lost.abort()
    }
    const renewing = setInterval(() => void canFail(log, `renewing the lease of ${name}`, renew()), renewMs)
    const { _id } = document
    try {
      await work(document, signal)
    } catch (error) {
      if (signal.aborted) log.info({ _id }, `the work on ${name} stopped; it is continued elsewhere or later`)
      else log.error({ err: error, _id }, `the work on ${name} failed; it is tried again`)
    } finally {
      clearInterval(renewing)
    }
  }
  const takeOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const next = await queue.take()
      if (!next) return
      await underLease(next)
    }
  }
  /** Lets a free worker take a document and begin. Returns false when there is none of either. */
  const begin = async (take: () => Promise<Held<Doc> | undefined>, then?: () => Promise<unknown>): Promise<boolean> => {
    if (stopping.signal.aborted || running.size >= atOnce) return false
    const taken = take()
    const worker = taken.then((document) => document && underLease(document).then(then))
    running.add(worker)
    void Promise.allSettled([worker]).then(() => running.delete(worker))
    return (await taken) !== undefined
  }

  return {
    async start() {
      while (await begin(queue.take, () => canFail(log, `taking ${name}`, takeOn())));
    },
    async startOne(_id) {
      await begin(() => queue.takeOne(_id))
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}
