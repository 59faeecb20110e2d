import { AppError } from '../http/errors.ts'

/** A page of 100 places with 500 reviews and images each has about 35 MB. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024

/**
 * Returns a function that counts the bytes of one page, place by place.
 * @throws AppError `unprocessable` as soon as the page is too large.
 */
export function createPageSize(max: number = MAX_PAGE_BYTES): (bytes: number) => void {
  let size = 0
  return (bytes) => {
    size += bytes
    if (size <= max) return
    const text = `The page would be larger than ${max / 1024 / 1024} MiB. Choose a smaller limit, or download the results.`
    throw new AppError('unprocessable', text)
  }
}
