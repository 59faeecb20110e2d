import { z } from 'zod'
import type { UserDocument } from '../../accounts/documents.ts'
import { createUser, listUsers } from '../../accounts/store.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { limitOption, shownAs } from '../options.ts'
import { facts, table } from '../table.ts'

const createUserCommand = opsCommand({
  words: 'users create',
  about: 'make a user; they have no key and no credits yet',
  options: z.object({ email: z.email('is not an email address').meta(shownAs('email', 'the address of the user')) }),
  async run({ databaseForWriting }, { email }) {
    const user = await createUser(await databaseForWriting(), { email })
    return { data: shown(user), text: facts({ id: user._id, email: user.email }) }
  },
})

const listUsersCommand = opsCommand({
  words: 'users list',
  about: 'the latest users, newest first',
  options: z.object({ limit: limitOption(100) }),
  async run({ database }, { limit }) {
    const users = await listUsers(await database(), limit)
    const rows = users.map(({ _id, email, paid, created_at }) => [_id, email, paid ? 'yes' : 'no', created_at])
    return { data: users.map(shown), text: table(['id', 'email', 'paid', 'created'], rows, 'There are no users.') }
  },
})

const shown = ({ _id: id, email, paid, created_at }: UserDocument) => ({ id, email, paid, created_at })

export const userCommands: OpsCommand[] = [createUserCommand, listUsersCommand]
