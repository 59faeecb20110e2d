import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from './addresses.ts'
import { AppError } from './errors.ts'
import { type AddressLimit, type Reading, rateLimited, rateLimitHeaders } from './rate-limit.ts'
import type { Server } from './typed-server.ts'

/** The most that the jobs of an API key may cost, in credits: those created in one day and in one month (UTC). */
export type SpendingLimits = { day?: string | undefined; month?: string | undefined }

export const isLimited = ({ day, month }: SpendingLimits = {}): boolean => day !== undefined || month !== undefined

/** The account that a request acts for. */
export type Account = {
  user_id: string
  /** Absent for a session. */
  key_id?: string
  /** The limits of the API key; absent without any. */
  limits?: SpendingLimits
  /** Set for an API key that a program got by a pairing code. */
  paired?: true
  /** Absent for an API key. */
  session_id?: string
  /** The source recorded on jobs that this request creates. */
  source: 'api' | 'web'
  /** Whether the limits of paid accounts apply. */
  paid: boolean
}

/** The account of a valid credential, and whether its rate limit granted this request. */
export type Authenticated = { account: Account; granted: boolean; reading: Reading }

export type Authenticator = {
  /**
   * Finds the account of a credential and takes one token from its rate limit, in one database round trip. Returns
   * undefined when the credential is unknown, expired or revoked.
   */
  authenticate(credential: Credential): Promise<Authenticated | undefined>
}

/**
 * Who may call a route. `account`: callers with an account. `anyone`: all callers, limited by client address.
 * `unlimited`: all callers, without a limit.
 */
export type Access = 'account' | 'anyone' | 'unlimited'

declare module 'fastify' {
  interface FastifyRequest {
    account: Account | undefined
  }
  interface FastifyContextConfig {
    /** Who may call a route, by default `account`. A function decides for each request. */
    access?: Access | ((request: FastifyRequest) => Access)
    /** Whether a request beyond the limit of its key waits for the next token. For clients that do not try again. */
    waits?: boolean
  }
}

/**
 * Returns the account that a request acts for.
 * @throws AppError `unauthorized` on a route that needs no account.
 */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw unauthorized()
  return request.account
}

/**
 * Refuses an API key with a spending limit. Such keys are for third parties: they spend up to the limit, and otherwise
 * leave alone what is not theirs.
 * @throws AppError `forbidden`.
 */
export function mustBeUnlimited({ limits }: Pick<Account, 'limits'>, deed: string): void {
  if (!isLimited(limits)) return
  const text = `This API key has a spending limit, so it cannot ${deed}. Use another key or the console.`
  throw new AppError('forbidden', text)
}

/**
 * Returns the id of the session of a request.
 * @throws AppError `unauthorized` for a request with an API key: only a person who signed in has sessions.
 */
export function sessionIdOf(request: FastifyRequest): string {
  const session_id = request.account?.session_id
  if (session_id === undefined) throw notSignedIn()
  return session_id
}

/** Returns the error for a call that only a signed-in person can make. */
export const notSignedIn = (): AppError => new AppError('unauthorized', 'You are not signed in. Sign in at /console/.')

/** The error for a missing, malformed, unknown or revoked credential. By default it says how to send one. */
export function unauthorized(
  message = 'Send a valid API key as `Authorization: Bearer svc_…` or `X-API-Key: svc_…`.',
): AppError {
  return new AppError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } })
}

/** The error for a request without a valid credential: what is wrong with the headers that it sent. */
function refusalOf({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders, credential?: Credential): AppError {
  if (credential?.kind === 'key') {
    return unauthorized('This API key is unknown or was revoked. Make another one in the console.')
  }
  if (credential?.kind === 'session') return unauthorized('Your session is over. Sign in again at /console/.')
  if (authorization !== undefined && apiKey !== undefined) {
    return unauthorized('`Authorization` and `X-API-Key` contradict each other. Send only one of them.')
  }
  if (authorization === undefined) return unauthorized()
  return unauthorized('Write `Bearer` before the API key: `Authorization: Bearer svc_…`.')
}

type Credential = { kind: 'key' | 'session'; secret: string }

/**
 * Returns the name of one of our cookies. Behind https it has the prefix `__Host-`: browsers then accept it from this
 * host over TLS only, so a sibling domain cannot set it.
 */
export const cookieName = (name: 'session' | 'flow', publicUrl: string | undefined): string =>
  `${publicUrl?.startsWith('https:') ? '__Host-' : ''}placefleet_${name}`

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Returns the API key from either of its two headers, else the session cookie. Returns undefined when there is none, or
 * when the headers are malformed or contradict each other. A malformed key never falls back to the cookie.
 */
export function credentialOf(headers: IncomingHttpHeaders, publicUrl: string | undefined): Credential | undefined {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization === undefined && apiKey === undefined) {
    const secret = cookieOf(headers, cookieName('session', publicUrl))
    return secret === undefined ? undefined : { kind: 'session', secret }
  }
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (authorization !== undefined && bearer === undefined) return undefined
  const secret = bearer ?? apiKey
  if (typeof secret !== 'string' || (apiKey !== undefined && apiKey !== secret)) return undefined
  return { kind: 'key', secret }
}

/**
 * Returns whether a call with a cookie may come from another site: it changes data, and no browser header proves that
 * it comes from one of our pages.
 */
export function isPossiblyCrossSite(
  method: string,
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): boolean {
  if (SAFE_METHODS.includes(method)) return false
  if (headers.origin === undefined) return headers['sec-fetch-site'] !== 'same-origin'
  if (!URL.canParse(headers.origin)) return true
  const origin = new URL(headers.origin)
  return publicUrl === undefined ? origin.host !== headers.host : origin.origin !== new URL(publicUrl).origin
}

/**
 * Refuses a call that a browser makes from a page of another site. Programs send neither header and may call.
 * @throws AppError `forbidden`.
 */
export function rejectForeignPage(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const fromBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  if (fromBrowser && isPossiblyCrossSite('POST', headers, publicUrl)) throw foreignPage(publicUrl)
}

/** Returns the error for a change that comes from a page of another site, or from our page under another host name. */
const foreignPage = (publicUrl: string | undefined): AppError =>
  new AppError('forbidden', `This call must come from a page at ${publicUrl ?? 'this site'}.`)

/**
 * Returns the value of a cookie. Undefined when it is missing, empty or there twice: cookie parsers keep one of two
 * cookies with the same name, and a sibling domain may have set one.
 */
export function cookieOf(headers: IncomingHttpHeaders, cookie: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2)
    return name === cookie && value ? [value] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/** The longest wait of a request for a token of its key, in seconds. */
const LONGEST_WAIT = 2

/** Requests that wait at a time, in one process. */
const MOST_WAITING = 100

type AuthenticationOptions = {
  authenticator: Authenticator
  /** Counts requests without a credential, and wrong ones: a right one is never refused because of its address. */
  addressLimit: AddressLimit
  publicUrl: string | undefined
}

/**
 * Authenticates and rate-limits every request before its body is read. Every response carries the headers of the limit
 * that applied.
 */
export function authenticateRequests(app: Server, options: AuthenticationOptions): void {
  let waiting = 0
  const waitForToken = async ({ retryAfter }: Reading) => {
    waiting += 1
    await sleep(retryAfter * 1_000)
    waiting -= 1
  }
  app.addHook('onRequest', async (request, reply) => {
    const { access: rule = 'account' } = request.routeOptions.config
    const access = typeof rule === 'function' ? rule(request) : rule
    if (access === 'unlimited') return
    const credential = access === 'account' ? credentialOf(request.headers, options.publicUrl) : undefined
    let authenticated = credential && (await authenticate(credential, request, reply, options))
    const mayWait = request.routeOptions.config.waits === true && waiting < MOST_WAITING
    if (credential && authenticated?.granted === false && mayWait && authenticated.reading.retryAfter <= LONGEST_WAIT) {
      await waitForToken(authenticated.reading)
      authenticated = await authenticate(credential, request, reply, options)
    }
    if (!authenticated) takeFromAddress(request, reply, options.addressLimit)
    else accept(request, reply, authenticated)
    // An unknown path answers 404 without a credential: the list of routes is public.
    if (access === 'account' && !authenticated && !request.is404) throw refusalOf(request.headers, credential)
  })
}

async function authenticate(
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, addressLimit, publicUrl }: AuthenticationOptions,
): Promise<Authenticated | undefined> {
  try {
    if (credential.kind === 'session' && isPossiblyCrossSite(request.method, request.headers, publicUrl)) {
      throw foreignPage(publicUrl)
    }
    return await authenticator.authenticate(credential)
  } catch (error) {
    takeFromAddress(request, reply, addressLimit)
    throw error
  }
}

function accept(request: FastifyRequest, reply: FastifyReply, { account, granted, reading }: Authenticated): void {
  setLimitHeaders(reply, reading)
  if (!granted) throw rateLimited(reading, 'requests')
  request.account = account
}

function takeFromAddress(request: FastifyRequest, reply: FastifyReply, limit: AddressLimit): void {
  const { granted, reading } = limit.take(addressOf(request))
  setLimitHeaders(reply, reading)
  if (!granted) throw rateLimited(reading, 'requests from this address')
}

const setLimitHeaders = (reply: FastifyReply, reading: Reading) => reply.headers(rateLimitHeaders(reading))
