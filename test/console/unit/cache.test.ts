import { APIConnectionError, PlacefleetError } from '@placefleet/client'
import { onlineManager, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CONNECTION_KEY, createQueries, retryDelay, SESSION_KEY } from '../../../coordinator/console/src/api/queries.ts'
import { stalenessOf, watchStaleness } from '../../../coordinator/console/src/api/staleness.ts'

const gone = new APIConnectionError({ status: 0, body: {} })
const refusal = (status: number, retryAfter?: number) => new PlacefleetError({ status, body: {}, retryAfter })

/** A cache, and what it shows: each query answers what the test puts in. */
function cache() {
  const queries = createQueries()
  onTestFinished(() => queries.clear())
  const show = (name: string, answer: () => unknown, options: Partial<QueryObserverOptions> = { retry: false }) => {
    const queryFn = vi.fn(async () => answer())
    const observer = new QueryObserver(queries, { queryKey: [name], queryFn, ...options })
    onTestFinished(observer.subscribe(() => undefined))
    return { observer, queryFn, state: () => observer.getCurrentResult() }
  }
  return { queries, show, staleness: () => stalenessOf(queries.getQueryCache().getAll()) }
}

const fail = (error: unknown) => () => {
  throw error
}

describe('a failed read', () => {
  test('is tried again when there was no answer, and not when the console is wrong', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { show } = cache()
    const lost = show('lost', fail(gone), {})
    const wrong = show('wrong', fail(new TypeError('x')), {})
    await vi.advanceTimersByTimeAsync(10_000)
    expect(lost.queryFn).toHaveBeenCalledTimes(4)
    expect(wrong.queryFn).toHaveBeenCalledTimes(1)
  })

  test('waits as long as the API asks, and at most half a minute', () => {
    expect(retryDelay(0, refusal(429, 7))).toBe(7_000)
    expect(retryDelay(0, refusal(429, 3_600))).toBe(30_000)
  })

  test('waits twice as long each time when the API asks for nothing', () => {
    expect([0, 1, 2].map((failures) => retryDelay(failures, gone))).toEqual([1_000, 2_000, 4_000])
  })

  test('with 401 reads the session again', async () => {
    const { show } = cache()
    const session = show(SESSION_KEY[0] ?? '', () => 'signed in')
    await vi.waitFor(() => expect(session.queryFn).toHaveBeenCalledTimes(1))
    show('jobs', fail(refusal(401)))
    await vi.waitFor(() => expect(session.queryFn).toHaveBeenCalledTimes(2))
  })
})

test('a machine without a network reads from its own coordinator', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const { queries, show } = cache()
  const jobs = show('jobs', () => 'all')
  await vi.waitFor(() => expect(jobs.state().data).toBe('all'))
  const mutation = queries.getMutationCache().build(queries, { mutationFn: async () => 'done' })
  expect(await mutation.execute(undefined)).toBe('done')
})

describe('after an outage', () => {
  test('everything that is shown is read again', async () => {
    const { queries, show } = cache()
    let isUp = true
    const answer = () => (isUp ? 'new' : fail(gone)())
    const connection = show(CONNECTION_KEY[0] ?? '', answer)
    const jobs = show('jobs', answer, { retry: false, staleTime: Number.POSITIVE_INFINITY })
    await vi.waitFor(() => expect(jobs.state().data).toBe('new'))
    isUp = false
    await connection.observer.refetch()
    isUp = true
    await connection.observer.refetch()
    await vi.waitFor(() => expect(jobs.queryFn).toHaveBeenCalledTimes(2))
    await connection.observer.refetch()
    expect(jobs.queryFn).toHaveBeenCalledTimes(2)
    expect(queries.isFetching({ queryKey: ['jobs'] })).toBe(0)
  })
})

describe('what the page shows is old', () => {
  test('when the coordinator does not answer, though nothing else was read', async () => {
    const { show, staleness } = cache()
    const connection = show(CONNECTION_KEY[0] ?? '', fail(gone))
    await vi.waitFor(() => expect(connection.state().isError).toBe(true))
    expect(staleness()?.error).toBe(gone)
  })

  test('when it could not be read again, since it was read last', async () => {
    const { show, staleness } = cache()
    let isUp = true
    const jobs = show('jobs', () => (isUp ? 'all' : fail(refusal(503))()))
    await vi.waitFor(() => expect(jobs.state().data).toBe('all'))
    const since = jobs.state().dataUpdatedAt
    isUp = false
    await jobs.observer.refetch()
    expect(staleness()).toMatchObject({ since, error: { status: 503 } })
    isUp = true
    await jobs.observer.refetch()
    expect(staleness()).toBeUndefined()
  })

  test('not when it could never be read, because the page says that itself', async () => {
    const { show, staleness } = cache()
    const jobs = show('jobs', fail(refusal(503)))
    await vi.waitFor(() => expect(jobs.state().isError).toBe(true))
    expect(staleness()).toBeUndefined()
  })

  test('not when a refusal is final, because the page says that itself', async () => {
    const { queries, show, staleness } = cache()
    queries.setQueryData(['job'], 'old', { updatedAt: 1 })
    const job = show('job', fail(refusal(404)))
    await vi.waitFor(() => expect(job.state().isError).toBe(true))
    expect(staleness()).toBeUndefined()
  })

  test('not when nothing shows it any more', async () => {
    const { queries, staleness } = cache()
    queries.setQueryData(['job'], 'old')
    await queries
      .fetchQuery({ queryKey: ['job'], queryFn: fail(gone), retry: false, staleTime: 0 })
      .catch(() => undefined)
    expect(staleness()).toBeUndefined()
  })

  test('since its oldest part', async () => {
    const { queries, show, staleness } = cache()
    for (const [name, updatedAt] of [
      ['a', 2_000],
      ['b', 1_000],
    ] as const) {
      queries.setQueryData([name], 'old', { updatedAt })
      const part = show(name, fail(gone))
      await vi.waitFor(() => expect(part.state().isError).toBe(true))
    }
    expect(staleness()?.since).toBe(1_000)
  })

  test('as the same object until something about it changes', async () => {
    const { queries, show } = cache()
    const { current } = watchStaleness(queries.getQueryCache())
    queries.setQueryData(['a'], 'old', { updatedAt: 1_000 })
    const part = show('a', fail(gone))
    await vi.waitFor(() => expect(part.state().isError).toBe(true))
    expect(current()).toBeDefined()
    expect(current()).toBe(current())
  })
})
