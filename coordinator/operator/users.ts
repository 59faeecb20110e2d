import type { Db } from 'mongodb'
import { z } from 'zod'
import { ROLES, type UserDocument } from '../accounts/documents.ts'
import { roleOf } from '../accounts/roles.ts'
import { searchUsers } from '../accounts/store.ts'
import { PageFields, type PageRequest, pageOf, skipOf } from '../http/paging.ts'

const userExample = {
  id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11',
  email: 'ada@example.com',
  role: 'user' as const,
  linked: true,
  paid: false,
  created_at: '2026-03-01T12:00:00.000Z',
}

/** A user, as operators see them. */
export const User = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: z.enum(ROLES),
    linked: z.boolean().describe('whether the user is linked to an identity provider'),
    paid: z.boolean().describe('whether the limits of paid accounts apply'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'A user, as operators see them.', examples: [userExample] })
export type User = z.infer<typeof User>

export const UserList = z.object({ users: z.array(User), ...PageFields }).meta({
  id: 'UserList',
  description: 'A page of users, newest first.',
  examples: [{ users: [userExample], total: 1, page: 1, limit: 50, has_more: false }],
})

export const CreateUserRequest = z
  .strictObject({
    email: z
      .email('is not an email address')
      .regex(/^[^@]{1,64}@/, 'has more than 64 characters before the @')
      .describe('the address of the user; unique in any letter case'),
  })
  .meta({ id: 'CreateUserRequest', description: 'The user to create.', examples: [{ email: 'ada@example.com' }] })

/** Returns a user, as operators see them. */
export function presentUser(user: UserDocument): User {
  const { _id: id, email, identity, paid, created_at } = user
  return { id, email, role: roleOf(user), linked: identity !== undefined, paid, created_at: created_at.toISOString() }
}

/** Returns a page of the users whose email contains a text, newest first. */
export async function userPage(db: Db, { search, ...page }: PageRequest & { search: string }) {
  const { users, total } = await searchUsers(db, { search, skip: skipOf(page), limit: page.limit })
  return { users: users.map(presentUser), ...pageOf({ ...page, total }) }
}
