import { type Command, commandsWith } from '@placefleet/shared/commands/command'
import type { Environment } from '@placefleet/shared/config'
import type { Db } from 'mongodb'
import { AppError } from '../../http/errors.ts'
import { connectMongo, type Mongo } from '../../mongo/connect.ts'
import { databaseFailure } from '../../mongo/failures.ts'
import { ensureIndexes, suspendHint } from '../../mongo/indexes.ts'
import { indexes } from '../../services.ts'
import { addressOf } from './addresses.ts'

/** The environment and connections of a command. */
export type OpsContext = {
  env: Environment
  /**
   * Connects to the database on first use.
   * @throws ConfigError when no address is set, AppError `unavailable` when the database does not answer.
   */
  database(): Promise<Db>
  /** Like `database`, for commands that write: creates the unique indexes that make writes safe. */
  databaseForWriting(): Promise<Db>
}

export type OpsCommand = Command<OpsContext>

/** Creates a command of `ops`. */
export const opsCommand = commandsWith<OpsContext>()

/**
 * Creates a context for an environment. `close` closes its connections. Until then queries name no index: a coordinator
 * may still build one, and a command does not wait for that.
 */
export function createContext(env: Environment): OpsContext & { close(): Promise<void> } {
  let opened: Promise<Mongo> | undefined
  const named = indexes.filter((index) => index.hinted).map(suspendHint)
  const database = async () => {
    opened ??= open(env)
    return (await opened).db
  }
  return {
    env,
    database,
    async databaseForWriting() {
      const db = await database()
      const unique = indexes.filter((index) => index.unique)
      await ensureIndexes(db, unique)
      return db
    },
    async close() {
      const mongo = await opened?.catch(() => undefined) // the caller of `database` got the error
      await mongo?.close()
      for (const nameAgain of named) nameAgain()
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
