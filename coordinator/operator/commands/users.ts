import { UsageError } from '@placefleet/shared/command-line'
import { limitOption, shownAs } from '@placefleet/shared/commands/command'
import { facts, table } from '@placefleet/shared/commands/table'
import { readEnv } from '@placefleet/shared/config'
import { urlSetting } from '@placefleet/shared/setting-types'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { ROLES, type UserDocument } from '../../accounts/documents.ts'
import { operatorsOf, setRole } from '../../accounts/roles.ts'
import { endSessionsOf, unlinkIdentity } from '../../accounts/sessions.ts'
import { createUser, findUserByName, markPaid } from '../../accounts/store.ts'
import { createSignInLink } from '../../auth/links.ts'
import { consoleUrl } from '../../process/presence.ts'
import { counted } from '../doctor/words.ts'
import { CreateUserRequest, presentUser, userPage } from '../users.ts'
import { type OpsCommand, opsCommand } from './context.ts'

/** A user, by id or email. */
export const userOption = z.string().min(1).meta(shownAs('user', 'id or email of the user'))

/** The address of a coordinator with default settings. */
const DEFAULT_URL = 'http://127.0.0.1:8080'

const createUserCommand = opsCommand({
  words: 'users create',
  about: 'create a user, without a key and without credits',
  options: z.object({ email: CreateUserRequest.shape.email.meta(shownAs('email', 'the address of the user')) }),
  async run({ database }, { email }) {
    const user = await createUser(await database(), { email })
    return { data: presentUser(user), text: facts({ id: user._id, email: user.email }) }
  },
})

const listUsersCommand = opsCommand({
  words: 'users list',
  about: 'the latest users, newest first',
  options: z.object({ limit: limitOption(100) }),
  async run({ database }, { limit }) {
    const { users: data } = await userPage(await database(), { search: '', page: 1, limit })
    const rows = data.map(({ id, email, role, paid, created_at }) => [
      id,
      email,
      role,
      paid ? 'yes' : 'no',
      new Date(created_at),
    ])
    return { data, text: table(['id', 'email', 'role', 'paid', 'created'], rows, 'There are no users.') }
  },
})

const signInLinkCommand = opsCommand({
  words: 'users sign-in-link',
  about: 'create a one-time sign-in link for a user, valid for 15 minutes',
  options: z.object({
    email: z.string().min(1).optional().meta(shownAs('email', 'email or id of the user; default: the only operator')),
  }),
  async run({ database, env }, { email }) {
    const db = await database()
    const user = email === undefined ? await onlyOperator(db) : await findUserByName(db, email)
    const { PUBLIC_URL: publicUrl } = readEnv({ PUBLIC_URL: urlSetting().optional() }, env)
    const link = await createSignInLink(db, user._id, publicUrl ?? (await consoleUrl(db)) ?? DEFAULT_URL)
    return { data: link, text: facts({ link: link.url, 'works once, until': link.expires_at }) }
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

const setTierCommand = opsCommand({
  words: 'users set-tier',
  about: 'give a user the limits of a paid account; this cannot be undone',
  options: z.object({ user: userOption, tier: z.literal('paid', 'must be paid').meta(shownAs('tier', 'paid')) }),
  async run({ database }, { user, tier }) {
    const db = await database()
    const { _id: id, email } = await findUserByName(db, user)
    await markPaid(db, id)
    return { data: { id, email, tier }, text: `${email} has the limits of a paid account.` }
  },
})

const setRoleCommand = opsCommand({
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
})

const endSessionsCommand = opsCommand({
  words: 'users end-sessions',
  about: 'end all sessions of a user at once',
  options: z.object({ user: userOption }),
  async run({ database }, { user }) {
    const db = await database()
    const { _id: id, email } = await findUserByName(db, user)
    const ended = await endSessionsOf(db, id)
    return { data: { id, email, ended }, text: `${counted(ended, 'session')} of ${email} ended.` }
  },
})

const unlinkCommand = opsCommand({
  words: 'users unlink',
  about: 'unlink a user from the identity provider and end their sessions; the next sign-in links them again',
  options: z.object({ user: userOption }),
  async run({ database }, { user }) {
    const db = await database()
    const { _id: id, email } = await findUserByName(db, user)
    const unlinked = await unlinkIdentity(db, id)
    const outcome = unlinked ? 'is no longer linked' : 'was not linked'
    return { data: { id, email, unlinked }, text: `${email} ${outcome} to an identity provider.` }
  },
})

export const userCommands: OpsCommand[] = [
  createUserCommand,
  listUsersCommand,
  signInLinkCommand,
  setTierCommand,
  setRoleCommand,
  endSessionsCommand,
  unlinkCommand,
]
