import type { Db } from 'mongodb'
import { createApiKey } from '../../accounts/store.ts'
import { AppError } from '../../http/errors.ts'
import type { DeviceLoginDocument } from '../documents.ts'
import { putBackDeviceLogin } from './logins.ts'

/**
 * Creates the key of an approved login. @throws AppError `conflict` with ten active keys; the login may be redeemed
 * later.
 */
export async function keyFor(
  db: Db,
  { user_id, login }: { user_id: string; login: DeviceLoginDocument },
): Promise<string> {
  try {
    const { key } = await createApiKey(db, user_id, { name: login.client_name, paired: true })
    return key
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') await putBackDeviceLogin(db, login)
    throw error
  }
}
