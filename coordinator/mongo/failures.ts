import {
  MongoBulkWriteError,
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

const DUPLICATE_KEY = 11_000

/** Whether a write lost against a unique index, or against the one of that name. `_id_` is the index of the ids. */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false
  return indexName === undefined || error.message.includes(`index: ${indexName} dup key`)
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
 * Codes by which a server says that it cannot serve now: host unreachable, shutdown, stepdown, no primary, time limit.
 * https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const DOWN_CODES: readonly unknown[] = [6, 7, 50, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]

/** Codes of a socket that broke while the driver wrote to it: it passes these on as they are. */
const SOCKET_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED']

/** Whether the database cannot be reached or cannot serve now, so that the same call may succeed later. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!(error instanceof MongoError)) return 'code' in error && SOCKET_CODES.includes(error.code)
  if (DOWN.some((kind) => error instanceof kind) || error.name === 'MongoWaitQueueTimeoutError') return true
  // The driver wraps whatever ends a bulk write; what a server says has a code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true
  return error instanceof MongoServerError && DOWN_CODES.includes(error.code)
}
