import { type Lookup, resolvePublic } from '@placefleet/shared/egress/resolve'
import { type AllowHosts, checkTarget } from '@placefleet/shared/egress/target'
import { inTime } from '@placefleet/shared/timing'
import { AppError } from '../http/errors.ts'

/** The hosts that may be private, and a replacement of the system resolver. */
export type UrlRules = { allowHosts: AllowHosts; lookup?: Lookup | undefined }

/** A slower lookup counts as failed: every delivery checks the address again. */
const LOOKUP_WITHIN_MS = 3_000

/** For a receiver under development, which has neither a certificate nor a public address. */
const LOCALLY = 'To receive on your own machine, run `placefleet webhooks listen --forward-to URL` instead'

/** One text for every reason, so that it reveals nothing about names in our network. */
const NOT_PUBLIC = `must point to a public address: private networks, localhost and cloud metadata services are not allowed. The operator can allow a private host in WEBHOOK_ALLOW_HOSTS. ${LOCALLY}`

/**
 * Rejects a URL that is not https, has credentials, or points to an address that is not public. A name that cannot be
 * resolved now is accepted.
 * @throws AppError `bad_request` that says what is wrong.
 */
export async function checkWebhookUrl(url: string, rules: UrlRules): Promise<void> {
  const fault = formFault(url) ?? (await addressFault(url, rules))
  if (fault !== undefined) {
    throw new AppError('bad_request', `\`url\` ${fault}`, { details: [{ path: 'url', message: fault }] })
  }
}

// Checks the raw text, because the URL parser silently drops tabs, turns backslashes into slashes and adds missing
// slashes.
function formFault(url: string): string | undefined {
  if (/[\s\p{Cc}\\]/u.test(url))
    return 'must not contain white space, control characters or backslashes; percent-encode them'
  const authority = /^https:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (authority === undefined) return `must be an https URL, e.g. https://example.com/hook. ${LOCALLY}`
  return authority.includes('@') ? 'must not contain a user name or password' : undefined
}

async function addressFault(url: string, { allowHosts, lookup }: UrlRules): Promise<string | undefined> {
  const target = checkTarget(url, allowHosts)
  if (!target.ok) return target.reason === 'invalid_url' ? 'is not a valid URL' : NOT_PUBLIC
  if (target.literal || target.allowed) return undefined
  const { host, port } = target
  const resolution = await inTime(
    resolvePublic(host, { allow: allowHosts, port, refusesMixed: true, ...(lookup ? { lookup } : {}) }),
    LOOKUP_WITHIN_MS,
  )
  const unknown = resolution === undefined || resolution.ok || resolution.reason === 'lookup_failed'
  return unknown ? undefined : NOT_PUBLIC
}
