import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { roleOf } from '../accounts/roles.ts'
import { findUser } from '../accounts/store.ts'
import { accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'

/**
 * Lets only operators pass, by session or API key. The role is read at each request, so a change counts at once.
 * @throws AppError `forbidden` for everybody else, before anything of the request is looked at.
 */
export function createOperatorCheck(db: Db) {
  return async (request: FastifyRequest): Promise<void> => {
    const user = await findUser(db, accountOf(request).user_id)
    if (user && roleOf(user) === 'operator') return
    throw new AppError('forbidden', 'Only operators may call this. An operator gives the role: ops users set-role.')
  }
}
