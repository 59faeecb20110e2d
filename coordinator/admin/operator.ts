import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { isOperator } from '../accounts/roles.ts'
import { accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'

/**
 * Lets only operators pass, by session or by an API key without a spending limit.
 * @throws AppError `forbidden` for everybody else, before anything of the request is looked at.
 */
export function createOperatorCheck(db: Db) {
  return async (request: FastifyRequest): Promise<void> => {
    if (await isOperator(db, accountOf(request))) return
    const message = 'Only operators may call this, and not with an API key that has a spending limit.'
    throw new AppError('forbidden', `${message} An operator gives the role: ops users set-role.`)
  }
}
