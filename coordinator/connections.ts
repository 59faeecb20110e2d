import type { Logger } from '@placefleet/shared/log'
import { natsServers, natsUnusable } from '@placefleet/shared/nats'
import { MongoServerError } from 'mongodb'
import { connect, type NatsConnection } from 'nats'
import type { Config } from './config.ts'
import { connectMongo, type Mongo } from './mongo/connect.ts'
import { databaseFailure, isDatabaseDown } from './mongo/failures.ts'

/**
 * Connects to the database.
 * @throws Error that says what to do when MongoDB cannot be used. It omits the address, which may hold a password.
 */
export async function openDatabase({ MONGODB_URL }: Config, log: Logger): Promise<Mongo> {
  try {
    return await connectMongo(MONGODB_URL, { log })
  } catch (cause) {
    throw databaseUnusable(cause)
  }
}

/** Returns why a start failed. A failure of the database becomes an error that says what to do. */
export function startFailure(error: unknown): unknown {
  return isDatabaseDown(error) || error instanceof MongoServerError ? databaseUnusable(error) : error
}

function databaseUnusable(cause: unknown): Error {
  const reason = databaseFailure(cause).replace(/\.$/, '')
  const text = isDatabaseDown(cause)
    ? `does not answer: ${reason}. Start it, or set MONGODB_URL to where it is.`
    : `cannot be used: ${reason}. Correct MONGODB_URL, or the database that it names.`
  return new Error(`MongoDB (MONGODB_URL) ${text}`, { cause })
}

/**
 * Connects to NATS. A lost connection is restored without a limit of attempts.
 * @throws Error that says what to do when NATS cannot be used. It omits the address, which may hold a password.
 */
export async function openQueue({ NATS_URL, NATS_TLS_CA }: Config): Promise<NatsConnection> {
  const servers = natsServers(NATS_URL, NATS_TLS_CA)
  try {
    return await connect({ ...servers, name: 'coordinator', maxReconnectAttempts: -1, reconnectTimeWait: 250 })
  } catch (cause) {
    throw natsUnusable(cause)
  }
}
