import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'
import { monotonicNow } from '@placefleet/shared/timing'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { SignInError } from '../failure.ts'
import type { OidcSettings } from './settings.ts'

/** Metadata of the provider is requested again after this time, so that a sign-in notices an outage. */
const FRESH_MS = 60_000

/** The pause before another request to a provider that did not answer. */
const RETRY_MS = 1_000

const TIMEOUT_SECONDS = 5

/** The metadata of the provider, requested on demand: a coordinator starts and works without the provider. */
export type Discovery = {
  /**
   * Returns metadata that is at most a minute old.
   * @throws SignInError `provider_unavailable` or `provider_mismatch`.
   */
  fresh(): Promise<Configuration>
  /** Returns the last known metadata, of any age. Requests it when there is none. Throws as `fresh` does. */
  known(): Promise<Configuration>
}

/** Creates the discovery of a provider. Concurrent callers share one request. */
export function createDiscovery(settings: OidcSettings, log: Logger): Discovery {
  let known: Configuration | undefined
  let latest: { answer: Promise<Configuration>; goodUntil: number } | undefined
  const ask = () => {
    const question = { answer: discover(settings), goodUntil: Number.POSITIVE_INFINITY }
    const settled = (goodForMs: number) => {
      question.goodUntil = monotonicNow() + goodForMs
    }
    question.answer.then(
      (configuration) => {
        known = configuration
        settled(FRESH_MS)
      },
      (error: unknown) => {
        log.warn({ err: error }, 'the identity provider is not usable; the next sign-in tries again')
        settled(RETRY_MS)
      },
    )
    return question
  }
  const fresh = () => {
    if (latest === undefined || latest.goodUntil < monotonicNow()) latest = ask()
    return latest.answer
  }
  return { fresh, known: async () => known ?? fresh() }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  // The operator chose http. Signatures are checked in any case.
  const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])]
  try {
    return await discovery(issuer, clientId, undefined, asAnnounced(clientSecret), {
      execute,
      timeout: TIMEOUT_SECONDS,
    })
  } catch (cause) {
    const named = cause instanceof ClientError ? issuerIn(cause.cause) : undefined
    if (named === undefined) {
      throw new SignInError('provider_unavailable', `${issuer.href} does not answer: ${reasonOf(cause)}`, { cause })
    }
    const message = `OIDC_ISSUER is ${issuer.href}, but the issuer of that provider is ${named}. Set OIDC_ISSUER to it.`
    throw new SignInError('provider_mismatch', message, { cause })
  }
}

/**
 * Sends the client secret in a way that the provider supports: in the body if allowed, because it needs no special
 * encoding there.
 */
function asAnnounced(clientSecret: string): ClientAuth {
  const [post, basic] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)]
  return (provider, ...rest) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_post') ? post : basic)(provider, ...rest)
  }
}

/** Returns the issuer that a provider named instead of the expected one, from the library's error. */
function issuerIn(cause: unknown): string | undefined {
  const body: unknown = typeof cause === 'object' && cause !== null && 'body' in cause ? cause.body : undefined
  const issuer: unknown = typeof body === 'object' && body !== null && 'issuer' in body ? body.issuer : undefined
  return typeof issuer === 'string' ? issuer : undefined
}
