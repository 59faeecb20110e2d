import { BrowserFailed } from '../browser/within.ts'
import { FetchFailed } from '../egress/failure.ts'
import { MapFailed } from '../maps/requests/failure.ts'

/** Errors that only name a fault. The message of the task's failure says it better. */
const FAULTS = [MapFailed, FetchFailed, BrowserFailed]

/** Says in words for operators what caused a failure: the highest cause that is more than a fault, and the deepest. */
export function detailOf(error: unknown): string | undefined {
  const sentences = causesOf(error).flatMap((cause) =>
    FAULTS.some((type) => cause instanceof type) ? [] : sentenceOf(cause),
  )
  const [first, deepest] = [sentences[0], sentences.at(-1)]
  return first === deepest ? first : `${first} (${deepest})`
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/**
 * Only the first line, because Chromium's errors have many. An error for several addresses has a code and no message.
 */
function sentenceOf(error: Error): string[] {
  const [line = ''] = error.message.split('\n')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return [line.trim() || code].filter((text) => text !== '')
}
