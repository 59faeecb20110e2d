import type { Failed } from '@placefleet/proto/fleet'
import { FailureCode } from '@placefleet/shared/outcome'
import type { TaskFailure } from '../tasks/documents.ts'
import { printable } from './call.ts'

const MAX_DETAIL = 300

/** The login in a URL, and the value of an Authorization header. */
const LOGIN = /(?<=:\/\/)[^\s/]*@|(?<=\b(?:Basic|Bearer) )\S+/gi

/** Returns the failure that an agent reported. Agents are not trusted: its texts are bounded, and the detail has no login. */
export function failureOf({ code, message, detail = '' }: Failed): TaskFailure {
  const text = printable(detail).replaceAll(LOGIN, '').slice(0, MAX_DETAIL).trim()
  return {
    code: FailureCode.safeParse(code).data ?? 'source_unavailable',
    message: printable(message),
    ...(text !== '' && { detail: text }),
  }
}
