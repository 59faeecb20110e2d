import type { Db } from 'mongodb'
import { addressOf } from '../../http/addresses.ts'
import { accountOf, sessionIdOf } from '../../http/authentication.ts'
import { AppError } from '../../http/errors.ts'
import { errorResponses, jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { HOME } from '../paths.ts'
import {
  beginDeviceLogin,
  decideDeviceLogin,
  findDeviceLogin,
  keyFor,
  LOGIN_SECONDS,
  redeemDeviceLogin,
} from './logins.ts'
import {
  BeginDeviceLogin,
  DeviceKey,
  DeviceLogin,
  DeviceLoginCodes,
  RedeemDeviceLogin,
  UserCodeParams,
} from './schema.ts'

/** Seconds between two requests of a program that waits. */
const INTERVAL = 2

const FOR_PROGRAMS = { tags: ['signing in'], security: [] }
const FOR_PEOPLE = { tags: ['signing in'], security: [{ session: [] }] }

type DeviceRoutesDeps = { db: Db; publicUrl: string | undefined }

/**
 * Registers the login of programs by pairing code (RFC 8628): a program shows a code, a person who is signed in to the
 * console approves it there, and the program gets an API key of that person.
 */
export async function deviceRoutes(app: Server, deps: DeviceRoutesDeps): Promise<void> {
  beginRoute(app, deps)
  redeemRoute(app, deps)
  showRoute(app, deps)
  decideRoutes(app, deps)
}

function beginRoute(app: Server, { db, publicUrl }: DeviceRoutesDeps): void {
  const begun = { 201: jsonResponse(DeviceLoginCodes, 'The codes') }
  const schema = {
    ...FOR_PROGRAMS,
    operationId: 'beginDeviceLogin',
    summary: 'Begin a login by pairing code',
    body: BeginDeviceLogin,
    response: begun,
  }
  app.post('/auth/device', { config: { access: 'anyone' }, schema }, async (request, reply) => {
    const codes = await beginDeviceLogin(db, { ...request.body, client_address: addressOf(request) })
    const verification_uri = `${publicUrl ?? `${request.protocol}://${request.host}`}${HOME}connect`
    const verification_uri_complete = `${verification_uri}?code=${codes.user_code}`
    const answer = { ...codes, verification_uri, verification_uri_complete }
    return reply.code(201).send({ ...answer, expires_in: LOGIN_SECONDS, interval: INTERVAL })
  })
}

const REFUSALS = {
  pending: () => new AppError('authorization_pending', 'The pairing code is not approved yet. Ask again.'),
  denied: () => new AppError('access_denied', 'The login was refused in the console.'),
  expired: () =>
    new AppError('expired_token', 'The code is used, expired (after 10 minutes) or unknown. Begin a new login.'),
}

function redeemRoute(app: Server, { db }: DeviceRoutesDeps): void {
  const redeemed = { 200: jsonResponse(DeviceKey, 'The API key'), ...errorResponses(409) }
  const schema = {
    ...FOR_PROGRAMS,
    operationId: 'redeemDeviceLogin',
    summary: 'Get the API key of an approved login',
    description:
      '400 with `authorization_pending` until a person decides, then once the key or `access_denied`. The key never has the rights of an operator.',
    body: RedeemDeviceLogin,
    response: redeemed,
  }
  app.post('/auth/device/token', { config: { access: 'anyone' }, schema }, async (request) => {
    const outcome = await redeemDeviceLogin(db, request.body.device_code)
    if (outcome.state !== 'approved') throw REFUSALS[outcome.state]()
    return { key: await keyFor(db, outcome) }
  })
}

const noSuchCode = () =>
  new AppError('not_found', 'No program waits with this pairing code. It expires after 10 minutes: begin a new login.')

function showRoute(app: Server, { db }: DeviceRoutesDeps): void {
  const shown = { 200: jsonResponse(DeviceLogin, 'The program that waits') }
  const schema = {
    ...FOR_PEOPLE,
    operationId: 'getDeviceLogin',
    summary: 'Get the program that waits with a pairing code',
    params: UserCodeParams,
    response: shown,
  }
  app.get('/auth/device/:user_code', { schema }, async (request) => {
    sessionIdOf(request)
    const login = await findDeviceLogin(db, request.params.user_code)
    if (!login) throw noSuchCode()
    const { user_code, client_name, client_address, created_at, expires_at, authorization } = login
    const times = { created_at: created_at.toISOString(), expires_at: expires_at.toISOString() }
    const returns_to = authorization && new URL(authorization.redirect_uri).host
    return { user_code, client_name, client_address, ...(returns_to !== undefined && { returns_to }), ...times }
  })
}

function decideRoutes(app: Server, { db }: DeviceRoutesDeps): void {
  const decisions = [
    ['approve', true, 'approveDeviceLogin', 'Approve the login: the program gets an API key of yours'],
    ['deny', false, 'denyDeviceLogin', 'Reject the login'],
  ] as const
  for (const [word, approved, operationId, summary] of decisions) {
    const response = { 204: noContent('Decided') }
    const schema = { ...FOR_PEOPLE, operationId, summary, params: UserCodeParams, response }
    app.post(`/auth/device/:user_code/${word}`, { schema }, async (request, reply) => {
      sessionIdOf(request)
      const { user_id } = accountOf(request)
      const done = await decideDeviceLogin(db, request.params.user_code, { user_id, approved })
      if (!done) throw noSuchCode()
      return reply.code(204).send()
    })
  }
}
