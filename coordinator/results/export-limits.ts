import { finished } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createTally } from '../cache.ts'
import { AppError } from '../http/errors.ts'
import { retryAfterHeaders } from '../http/rate-limit.ts'
import type { ResultTotals } from './documents.ts'

/** The most rows of a workbook. Its rows take memory until they are compressed. */
const WORKBOOK_ROWS = 150_000

/** Exports of a user, or through a link, that one coordinator writes at a time. */
const OF_A_USER = 2

/** Workbooks that one coordinator writes at a time: about 230 MB each. */
const WORKBOOKS = 2

/** @throws AppError `unprocessable` when a workbook would have too many rows. */
export async function checkRows(jobs: AsyncIterable<WithTotals> | Iterable<WithTotals>): Promise<void> {
  let rows = 0
  for await (const { totals } of jobs) {
    rows += totals.places + totals.reviews + totals.images
    if (rows > WORKBOOK_ROWS) throw tooManyRows()
  }
}

/** The most bytes of the places of a workbook. Its library turns them into far more before they are compressed. */
const WORKBOOK_BYTES = 64 * 1_024 * 1_024

/**
 * @throws AppError `unprocessable` when the places of a workbook are too large together. Reads no further than that.
 */
export async function checkBytes(sizes: AsyncIterable<number> | Iterable<number>): Promise<void> {
  let bytes = 0
  for await (const size of sizes) {
    bytes += size
    if (bytes > WORKBOOK_BYTES) throw tooLarge()
  }
}

const OTHER_FORMATS = 'Choose csv, jsonl, geojson or parquet, or fewer jobs.'

const tooLarge = () =>
  new AppError(
    'unprocessable',
    `The file has more than ${WORKBOOK_BYTES / 1_024 / 1_024} MiB of places, which is the limit of a workbook. ${OTHER_FORMATS}`,
  )

type WithTotals = { totals: ResultTotals }

const tooManyRows = () =>
  new AppError(
    'unprocessable',
    `The file has more than ${WORKBOOK_ROWS} rows of places, reviews and images, which is the limit of a workbook. ${OTHER_FORMATS}`,
  )

/** Counts the exports that this coordinator writes now. */
export type ExportSlots = {
  /**
   * Counts an export until its response is over. `who`: a user, or a link: who has one must not hold up its owner.
   * @throws AppError `rate_limited` when they have two, or when it would be the third workbook.
   */
  take(who: string, format: string, reply: FastifyReply): void
}

export function createExportSlots(): ExportSlots {
  const exporting = createTally()
  let workbooks = 0
  return {
    take(who, format, reply) {
      if (exporting.of(who) >= OF_A_USER) {
        throw busy(`You already have ${OF_A_USER} downloads running, which is the limit. Try again in 5 s.`)
      }
      const workbook = format === 'xlsx' ? 1 : 0
      if (workbooks + workbook > WORKBOOKS) {
        throw busy('Too many workbooks are being written. Choose another format, or try again in 5 s.')
      }
      workbooks += workbook
      exporting.add(who)
      // Also when the client has left already, while the request waited for the database.
      finished(reply.raw, () => {
        workbooks -= workbook
        exporting.remove(who)
      })
    },
  }
}

const busy = (text: string) => new AppError('rate_limited', text, { headers: retryAfterHeaders(5) })
