import { natsServers, natsUnusable, TASK_STREAM } from '@placefleet/shared/nats'
import { MongoServerError } from 'mongodb'
import { connect, ErrorCode, type NatsConnection, NatsError } from 'nats'
import type { Config } from '../config.ts'
import { connectMongo, type Mongo } from '../mongo/connect.ts'
import { databaseFailure, isDatabaseDown } from '../mongo/failures.ts'

/**
 * Connects to the database.
 * @throws Error that says what to do when MongoDB cannot be used. It omits the address, which may hold a password.
 */
export async function openDatabase({ MONGODB_URL }: Config): Promise<Mongo> {
  try {
    return await connectMongo(MONGODB_URL)
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
 * @throws Error that says what to do when NATS cannot be used, or not with this user. It omits the address, which may
 * hold a password.
 */
export async function openQueue({ NATS_URL, NATS_TLS_CA }: Config): Promise<NatsConnection> {
  const servers = natsServers(NATS_URL, NATS_TLS_CA)
  try {
    const nats = await connect({ ...servers, name: 'coordinator', maxReconnectAttempts: -1, reconnectTimeWait: 250 })
    await refuseUserOfAgents(nats)
    return nats
  } catch (cause) {
    throw natsUnusable(cause)
  }
}

/** How long a start waits for the queue. */
const ANSWER_WITHIN_MS = 1_500

/** Closes the connection and throws when its user may not read the state of the queue, as agents may not. */
async function refuseUserOfAgents(nats: NatsConnection): Promise<void> {
  const manager = await nats.jetstreamManager({ checkAPI: false, timeout: ANSWER_WITHIN_MS })
  try {
    await manager.streams.info(TASK_STREAM)
  } catch (error) {
    // Without a stream, or without an answer, a coordinator starts: jobs wait, and /health says so.
    if (!(error instanceof NatsError && error.code === ErrorCode.PermissionsViolation)) return
    await nats.close()
    throw error
  }
}
