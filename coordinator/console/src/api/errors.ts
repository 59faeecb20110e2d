import { APIConnectionError, PlacefleetError } from '@placefleet/client'

/** Returns whether the service answered and refused: its message says why. */
export const isRefusal = (error: unknown): error is PlacefleetError =>
  error instanceof PlacefleetError && error.status !== 0

/** Returns whether there was no answer. */
export const isUnreachable = (error: unknown): boolean => error instanceof APIConnectionError

const hasStatus = (error: unknown, statuses: readonly number[]): boolean =>
  isRefusal(error) && statuses.includes(error.status)

/** Returns whether the same request may succeed later. A mistake of the console never does. */
export const isTemporary = (error: unknown): boolean =>
  isUnreachable(error) || hasStatus(error, [429, 500, 502, 503, 504])

/** Returns whether what was asked for is gone, or is no longer the user's. */
export const isGone = (error: unknown): boolean => hasStatus(error, [403, 404, 410])

/** Returns whether nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean => hasStatus(error, [401])

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

type FailureTexts = { noConnection: string; fault: string }

/** Returns the text for a failure: the message of the API, that it does not answer, or that the console has a fault. */
export function messageOf(error: unknown, { noConnection, fault }: FailureTexts): string {
  if (isRefusal(error)) return error.message
  return isUnreachable(error) ? noConnection : `${fault}: ${String(error)}`
}
