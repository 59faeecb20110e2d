import { type components, Placefleet, PlacefleetError } from '@placefleet/client'

export { unwrap } from '@placefleet/client'

export type Schemas = components['schemas']

/** Every call of the API. The browser adds the session cookie, and the cache of queries retries. */
export const { api } = new Placefleet({ apiKey: null, retry: { attempts: 1 } })

/** Returns whether the service answered and refused: its message says why. */
export const isRefusal = (error: unknown): error is PlacefleetError =>
  error instanceof PlacefleetError && error.status !== 0

const isIn = (field: string, path: string): boolean => path === field || path.startsWith(`${field}.`)

/** Returns the fault of a field in the request body; undefined when the error does not name the field. */
export function detailOf(error: unknown, field: string): string | undefined {
  if (!isRefusal(error)) return undefined
  return error.details.find(({ path }) => isIn(field, path))?.message
}

/**
 * Returns the message of an error without the faults of `fields`, which a form shows at these fields; undefined when no
 * other fault is left.
 */
export function messageBeside({ message, details }: PlacefleetError, fields: readonly string[]) {
  if (details.length === 0) return message
  const others = details.filter(({ path }) => !fields.some((field) => isIn(field, path)))
  if (others.length === 0) return undefined
  return others.map((fault) => `${fault.path} ${fault.message}`.trim()).join('; ')
}
