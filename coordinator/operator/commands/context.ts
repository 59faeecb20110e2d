import { type Command, commandsWith } from '@placefleet/shared/commands/command'
import type { Environment } from '@placefleet/shared/config'
import type { Db } from 'mongodb'
import { checkUsable } from '../../backup/restore.ts'
import { AppError } from '../../http/errors.ts'
import { indexes } from '../../indexes.ts'
import { connectMongo, type Mongo } from '../../mongo/connect.ts'
import { databaseFailure } from '../../mongo/failures.ts'
import { ensureIndexes } from '../../mongo/indexes.ts'
import { addressOf } from './addresses.ts'

/** The environment and connections of a command. */
export type OpsContext = {
  env: Environment
  /**
   * Connects to the database on first use.
   * @throws ConfigError when no address is set, AppError `unavailable` when the database does not answer.
   */
  connect(): Promise<Db>
  /**
   * Like `connect`, and creates the indexes that are missing: queries name them, and the unique ones make writes safe.
   * @throws AppError `conflict` when this release cannot use the database.
   */
  database(): Promise<Db>
}

export type OpsCommand = Command<OpsContext>

export const opsCommand = commandsWith<OpsContext>()

/** Creates a context for an environment. `close` closes its connections. */
export function createContext(env: Environment): OpsContext & { close(): Promise<void> } {
  let opened: Promise<Mongo> | undefined
  const connect = async () => {
    opened ??= open(env)
    return (await opened).db
  }
  return {
    env,
    connect,
    async database() {
      const db = await connect()
      await checkUsable(db)
      await ensureIndexes(db, indexes)
      return db
    },
    async close() {
      const mongo = await opened?.catch(() => undefined) // the caller of `connect` got the error
      await mongo?.close()
    },
  }
}

async function open(env: Environment): Promise<Mongo> {
  const { url, from } = addressOf('MONGODB_URL', env)
  try {
    return await connectMongo(url)
  } catch (cause) {
    const reason = databaseFailure(cause)
    throw new AppError('unavailable', `MongoDB cannot be used at the address in ${from}: ${reason}`, { cause })
  }
}
