import type { Db } from 'mongodb'
import { z } from 'zod'
import { ROLES } from '../../accounts/documents.ts'
import { setRoleAmongOperators } from '../../accounts/roles.ts'
import { endSessionsOf, unlinkIdentity } from '../../accounts/sessions.ts'
import { createUser, findUserByName } from '../../accounts/store.ts'
import { createSignInLink } from '../../auth/links.ts'
import { AppError } from '../../http/errors.ts'
import { pageQuery } from '../../http/paging.ts'
import { IdParams, searchText } from '../../http/params.ts'
import { errorResponses, jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { consoleUrl } from '../../process/presence.ts'
import { CreateUserRequest, presentUser, User, UserList, userPage } from '../users.ts'

const UserQuery = z.strictObject({
  ...pageQuery({ fallback: 50, max: 100 }),
  search: searchText('only users whose email contains this, in any letter case'),
})

const SetRoleRequest = z
  .strictObject({
    role: z.enum(ROLES).describe('the new role; a change ends the sessions of the user'),
  })
  .meta({ id: 'SetRoleRequest', description: 'The role of a user.', examples: [{ role: 'operator' }] })

const NewSignInLink = z
  .object({ url: z.string().describe('signs in one browser, once'), expires_at: z.iso.datetime() })
  .meta({
    id: 'NewSignInLink',
    description: 'A one-time link.',
    examples: [{ url: 'https://fleet.example/console/#link=q3Zk0v3m', expires_at: '2026-03-01T12:15:00.000Z' }],
  })

const tags = ['operators: users']

/** Registers the operator routes of users. */
export async function userRoutes(app: Server, { db }: { db: Db }): Promise<void> {
  accountRoutes(app, db)
  signInRoutes(app, db)
}

/** Lists, creates and shows users, and changes their roles. */
function accountRoutes(app: Server, db: Db): void {
  const listed = { 200: jsonResponse(UserList, 'A page of users') }
  const list = {
    tags,
    operationId: 'listUsers',
    summary: 'List all users, newest first',
    querystring: UserQuery,
    response: listed,
  }
  app.get('/users', { schema: list }, async ({ query }) => userPage(db, query))

  const created = { 201: jsonResponse(User, 'The user'), ...errorResponses(409) }
  const create = {
    tags,
    operationId: 'createUser',
    summary: 'Create a user',
    body: CreateUserRequest,
    response: created,
  }
  app.post('/users', { schema: create }, async ({ body }, reply) =>
    reply.code(201).send(presentUser(await createUser(db, body))),
  )

  const shown = { 200: jsonResponse(User, 'The user') }
  app.get(
    '/users/:id',
    { schema: { tags, operationId: 'getUser', summary: 'Get a user', params: IdParams, response: shown } },
    async ({ params }) => presentUser(await findUserByName(db, params.id)),
  )

  const patch = {
    tags,
    operationId: 'setUserRole',
    summary: 'Change the role of a user',
    params: IdParams,
    body: SetRoleRequest,
    response: { ...shown, ...errorResponses(409) },
  }
  app.patch('/users/:id', { schema: patch }, async ({ params, body }) => {
    await setRoleAmongOperators(db, params.id, body.role)
    return presentUser(await findUserByName(db, params.id))
  })
}

/** Signs users in by a link, signs them out, and unlinks them from the identity provider. */
function signInRoutes(app: Server, db: Db): void {
  const linked = { 201: jsonResponse(NewSignInLink, 'The link, shown only once') }
  const link = {
    tags,
    operationId: 'createSignInLink',
    summary: 'Create a one-time sign-in link for a user',
    params: IdParams,
    response: linked,
  }
  app.post('/users/:id/sign-in-link', { schema: link }, async ({ params }, reply) => {
    const { _id } = await findUserByName(db, params.id)
    const publicUrl = await consoleUrl(db)
    if (publicUrl === undefined) throw new AppError('unavailable', 'The coordinator is still starting. Try again soon.')
    const { url, expires_at } = await createSignInLink(db, _id, publicUrl)
    return reply.code(201).send({ url, expires_at: expires_at.toISOString() })
  })

  const ended = { 204: noContent('All sessions of the user have ended') }
  const end = {
    tags,
    operationId: 'endUserSessions',
    summary: 'End all sessions of a user',
    params: IdParams,
    response: ended,
  }
  app.delete('/users/:id/sessions', { schema: end }, async ({ params }, reply) => {
    await endSessionsOf(db, (await findUserByName(db, params.id))._id)
    return reply.code(204).send()
  })

  const unlinked = {
    204: noContent('Unlinked; the next sign-in links the user again'),
  }
  const unlink = {
    tags,
    operationId: 'unlinkUser',
    summary: 'Unlink a user from the identity provider',
    params: IdParams,
    response: unlinked,
  }
  app.delete('/users/:id/identity', { schema: unlink }, async ({ params }, reply) => {
    await unlinkIdentity(db, (await findUserByName(db, params.id))._id)
    return reply.code(204).send()
  })
}
