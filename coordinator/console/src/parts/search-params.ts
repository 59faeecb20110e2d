import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** The query of the present address, where filters live, so that a view can be linked to and come back to. */
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

/** A page number of the address; 1 for what is none. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? '1')
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}
