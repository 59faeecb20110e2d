import { UsageError } from '@placefleet/shared/command-line'
import { limitOption, shownAs } from '@placefleet/shared/commands/command'
import { facts, table } from '@placefleet/shared/commands/table'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { ROLES, type UserDocument } from '../../accounts/documents.ts'
import { operatorsOf, roleOf, setRole, setRoleAmongOperators } from '../../accounts/roles.ts'
import { endSessionsOf, unlinkIdentity } from '../../accounts/sessions.ts'
import { createUser, findUserByName, markPaid, searchUsers } from '../../accounts/store.ts'
import { createSignInLink } from '../../auth/links.ts'
import { IdParams, PageFields, pageOf, pageQuery, searchText, skipOf } from '../../http/params.ts'
import { opsCommand } from '../commands/context.ts'
import { counted } from '../doctor/findings.ts'
import { apiOperation, commandOnly, type Operation, operation } from '../operation.ts'

/** A user, by id or email. */
export const userOption = z.string().min(1).meta(shownAs('user', 'id or email of the user'))

const userExample = {
  id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11',
  email: 'ada@example.com',
  role: 'user' as const,
  linked: true,
  paid: false,
  created_at: '2026-03-01T12:00:00.000Z',
}

const User = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: z.enum(ROLES),
    linked: z.boolean().describe('whether the user is linked to an identity provider'),
    paid: z.boolean().describe('whether the limits of paid accounts apply'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'A user, as operators see them.', examples: [userExample] })
type User = z.infer<typeof User>

const UserList = z.object({ users: z.array(User), ...PageFields }).meta({
  id: 'UserList',
  description: 'A page of users, newest first.',
  examples: [{ users: [userExample], total: 1, page: 1, limit: 50, has_more: false }],
})

const CreateUserRequest = z
  .strictObject({
    email: z
      .email('is not an email address')
      .regex(/^[^@]{1,64}@/, 'has more than 64 characters before the @')
      .describe('the address of the user; unique in any letter case'),
  })
  .meta({ id: 'CreateUserRequest', description: 'The user to create.', examples: [{ email: 'ada@example.com' }] })

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

const create = operation({
  name: 'createUser',
  method: 'POST',
  path: '/users',
  topic: 'users',
  summary: 'Create a user',
  body: CreateUserRequest,
  answer: User,
  meaning: 'The user',
  status: 201,
  errors: [409],
  run: async ({ db }, { email }) => present(await createUser(db, { email })),
  command: {
    words: 'users create',
    about: 'create a user, without a key and without credits',
    options: z.object({ email: CreateUserRequest.shape.email.meta(shownAs('email', 'the address of the user')) }),
    input: (options) => options,
    text: ({ id, email }) => facts({ id, email }),
  },
})

const list = operation({
  name: 'listUsers',
  method: 'GET',
  path: '/users',
  topic: 'users',
  summary: 'List all users, newest first',
  query: UserQuery,
  answer: UserList,
  meaning: 'A page of users',
  async run({ db }, { search, ...page }) {
    const { users, total } = await searchUsers(db, { search, skip: skipOf(page), limit: page.limit })
    return { users: users.map(present), ...pageOf({ ...page, total }) }
  },
  command: {
    words: 'users list',
    about: 'the latest users, newest first',
    options: z.object({ limit: limitOption(100) }),
    input: ({ limit }) => ({ search: '', page: 1, limit }),
    json: ({ users }) => users,
    text({ users }) {
      const rows = users.map(({ id, email, role, paid, created_at }) => [
        id,
        email,
        role,
        paid ? 'yes' : 'no',
        new Date(created_at),
      ])
      return table(['id', 'email', 'role', 'paid', 'created'], rows, 'There are no users.')
    },
  },
})

const get = apiOperation({
  name: 'getUser',
  method: 'GET',
  path: '/users/:id',
  topic: 'users',
  summary: 'Get a user',
  params: IdParams,
  answer: User,
  meaning: 'The user',
  run: async ({ db }, { id }) => present(await findUserByName(db, id)),
})

const signInLink = operation({
  name: 'createSignInLink',
  method: 'POST',
  path: '/users/:id/sign-in-link',
  topic: 'users',
  summary: 'Create a one-time sign-in link for a user',
  params: IdParams,
  answer: NewSignInLink,
  meaning: 'The link, shown only once',
  status: 201,
  async run({ db, consoleUrl }, { id }) {
    const { _id } = await findUserByName(db, id)
    const { url, expires_at } = await createSignInLink(db, _id, await consoleUrl())
    return { url, expires_at: expires_at.toISOString() }
  },
  command: {
    words: 'users sign-in-link',
    about: 'create a one-time sign-in link for a user, valid for 15 minutes',
    options: z.object({
      email: z.string().min(1).optional().meta(shownAs('email', 'email or id of the user; default: the only operator')),
    }),
    input: async ({ email }, { db }) => ({ id: email ?? (await onlyOperator(db))._id }),
    text: ({ url, expires_at }) => facts({ link: url, 'works once, until': new Date(expires_at) }),
  },
})

/** @throws UsageError that lists the operators when there is not exactly one. */
async function onlyOperator(db: Db): Promise<UserDocument> {
  const operators = await operatorsOf(db)
  const [only] = operators
  if (only && operators.length === 1) return only
  if (!only) throw new UsageError('No user is an operator. Name a user with --email; `users list` shows all.')
  throw new UsageError(
    `There are several operators. Name one with --email: ${operators.map((user) => user.email).join(', ')}`,
  )
}

const setTier = commandOnly(
  opsCommand({
    words: 'users set-tier',
    about: 'give a user the limits of a paid account; this cannot be undone',
    options: z.object({ user: userOption, tier: z.literal('paid', 'must be paid').meta(shownAs('tier', 'paid')) }),
    async run({ database }, { user, tier }) {
      const db = await database()
      const { _id: id, email } = await findUserByName(db, user)
      await markPaid(db, id)
      return { data: { id, email, tier }, text: `${email} has the limits of a paid account.` }
    },
  }),
)

const setRoleInApi = apiOperation({
  name: 'setUserRole',
  method: 'PATCH',
  path: '/users/:id',
  topic: 'users',
  summary: 'Change the role of a user',
  params: IdParams,
  body: SetRoleRequest,
  answer: User,
  meaning: 'The user',
  errors: [409],
  async run({ db }, { id, role }) {
    await setRoleAmongOperators(db, id, role)
    return present(await findUserByName(db, id))
  },
})

/** Also for the last operator: whoever runs commands can make another one. */
const setRoleByCommand = commandOnly(
  opsCommand({
    words: 'users set-role',
    about: 'change the role of a user; their sessions end',
    options: z.object({
      user: userOption,
      role: z.enum(ROLES, `must be ${ROLES.join(' or ')}`).meta(shownAs('role', ROLES.join(' or '))),
    }),
    async run({ database }, { user, role }) {
      const db = await database()
      const { _id: id, email } = await findUserByName(db, user)
      const changed = await setRole(db, id, role)
      return { data: { id, email, role, changed }, text: `${email} is ${role === 'user' ? 'a user' : 'an operator'}.` }
    },
  }),
)

const endSessions = operation({
  name: 'endUserSessions',
  method: 'DELETE',
  path: '/users/:id/sessions',
  topic: 'users',
  summary: 'End all sessions of a user',
  params: IdParams,
  meaning: 'All sessions of the user have ended',
  async run({ db }, { id }) {
    const { _id, email } = await findUserByName(db, id)
    return { id: _id, email, ended: await endSessionsOf(db, _id) }
  },
  command: {
    words: 'users end-sessions',
    about: 'end all sessions of a user at once',
    options: z.object({ user: userOption }),
    input: ({ user }) => ({ id: user }),
    text: ({ email, ended }) => `${counted(ended, 'session')} of ${email} ended.`,
  },
})

const unlink = operation({
  name: 'unlinkUser',
  method: 'DELETE',
  path: '/users/:id/identity',
  topic: 'users',
  summary: 'Unlink a user from the identity provider',
  params: IdParams,
  meaning: 'Unlinked; the next sign-in links the user again',
  async run({ db }, { id }) {
    const { _id, email } = await findUserByName(db, id)
    return { id: _id, email, unlinked: await unlinkIdentity(db, _id) }
  },
  command: {
    words: 'users unlink',
    about: 'unlink a user from the identity provider and end their sessions; the next sign-in links them again',
    options: z.object({ user: userOption }),
    input: ({ user }) => ({ id: user }),
    text: ({ email, unlinked }) =>
      `${email} ${unlinked ? 'is no longer linked' : 'was not linked'} to an identity provider.`,
  },
})

function present(user: UserDocument): User {
  const { _id: id, email, identity, paid, created_at } = user
  return { id, email, role: roleOf(user), linked: identity !== undefined, paid, created_at: created_at.toISOString() }
}

export const userOperations: Operation[] = [
  create,
  list,
  get,
  setRoleInApi,
  signInLink,
  setTier,
  setRoleByCommand,
  endSessions,
  unlink,
]
