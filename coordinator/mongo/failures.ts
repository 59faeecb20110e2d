import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { reasonOf } from '@placefleet/shared/command-line'
import { fullDisk } from '@placefleet/shared/full-disk'
import {
  MongoBulkWriteError,
  type MongoClientBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb'
import type { Index } from './indexes.ts'

const DUPLICATE_KEY = 11_000

/** Returns whether a write failed on a unique index, or on one of these. */
export function isDuplicateKey(error: unknown, ...indexes: readonly Index[]): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false
  return indexes.length === 0 || indexes.some(({ key }) => isDeepStrictEqual(error.keyPattern, key))
}

const DOWN = [
  MongoServerSelectionError,
  MongoNetworkError, // and with it network timeouts and cleared pools
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoServerClosedError,
  MongoClientClosedError,
  MongoOperationTimeoutError,
  MongoWriteConcernError, // written, but not acknowledged by enough members: the outcome is unknown
]

/**
 * Codes of a server that cannot serve now: host unreachable, shutdown, stepdown, no primary, no majority, time limit.
 * https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const DOWN_CODES: readonly unknown[] = [6, 7, 50, 64, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]

const OUT_OF_DISK_SPACE = 14_031

/** The storage engine reports a full or read-only disk under a generic code. */
const UNKNOWN_ERROR = 8
const DISK_ERRORS = /No space left on device|Read-only file system|ENOSPC|EROFS/

/** Codes of a socket that broke while the driver wrote to it. The driver passes these errors on unchanged. */
const SOCKET_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED']

/** Returns whether the database cannot be reached or cannot serve now, so that the same call may succeed later. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!(error instanceof MongoError)) return 'code' in error && SOCKET_CODES.includes(error.code)
  if (DOWN.some((kind) => error instanceof kind) || error.name === 'MongoWaitQueueTimeoutError') return true
  // The driver wraps every error of a bulk write; errors of a server have a code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true
  return isDiskFull(error) || (error instanceof MongoServerError && DOWN_CODES.includes(error.code))
}

/** Returns the failure of a server that the driver wraps when one command writes to several collections. */
export function failureOfBulk(error: MongoClientBulkWriteError): unknown {
  const [failure] = [...error.writeErrors.values(), ...error.writeConcernErrors]
  return error.cause ?? (failure ? new MongoServerError({ ...failure }) : error)
}

/** Returns whether a write failed because the disk of the database is full or read-only. Reads go on then. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return false
  return error.code === OUT_OF_DISK_SPACE || (error.code === UNKNOWN_ERROR && DISK_ERRORS.test(error.message))
}

/**
 * Says why the database cannot be used. For a replica set without a primary the driver's message is only a timeout, or
 * the failure of one member.
 */
export function databaseFailure(error: unknown): string {
  if (!(error instanceof MongoServerSelectionError) || error.reason?.type !== 'ReplicaSetNoPrimary')
    return reasonOf(error)
  const { setName, servers } = error.reason
  const members = [...servers.values()]
  if (members.every(({ type }) => type === 'Unknown')) return reasonOf(error) // no member answers
  const states = members.map(
    ({ address, type }) => `${address} ${type === 'Unknown' ? 'does not answer' : `is ${type}`}`,
  )
  return `the replica set ${setName} has no primary (${states.join(', ')})`
}

/** The address of the database that is in use, and the data directory that may hold it. */
type DatabasePlace = { MONGODB_URL: string; DATA_DIR: string }

/**
 * Says that the disk of the database is full, and what to do. Undefined when it has room. Undefined too when the
 * database is not the one that `npm start` or `npm run services` keeps in DATA_DIR: its disk may be on another host.
 */
export async function fullDatabaseDisk({ MONGODB_URL, DATA_DIR }: DatabasePlace): Promise<string | undefined> {
  const url = await readFile(join(DATA_DIR, 'mongodb-url'), 'utf8').catch(() => undefined) // nothing runs on it
  return url?.trim() === MONGODB_URL ? fullDisk(DATA_DIR) : undefined
}
