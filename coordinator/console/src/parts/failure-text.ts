import { isRefusal, isUnreachable } from '../api/errors.ts'

type FailureTexts = { noConnection: string; fault: string }

/** Returns the text for a failure: the message of the API, that it does not answer, or that the console has a fault. */
export function messageOf(error: unknown, { noConnection, fault }: FailureTexts): string {
  if (isRefusal(error)) return error.message
  return isUnreachable(error) ? noConnection : `${fault}: ${String(error)}`
}
