import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Returns the query of the page's URL. It holds the filters, so that a view can be linked and reloaded. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (changes: Record<string, string | undefined>, replace = false) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value) after.set(name, value)
            else after.delete(name)
          }
          return after
        },
        { replace },
      ),
    [setParams],
  )
  return { params, set }
}

/** Returns the choice in the URL; the first one when it is missing or unknown. */
export const choiceIn = <Choice extends string>(
  params: URLSearchParams,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice => choices.find((choice) => choice === params.get(name)) ?? choices[0]

/** Returns the page number in the URL; 1 when it is missing or invalid. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? '1')
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}
