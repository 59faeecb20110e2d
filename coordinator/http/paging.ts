import { z } from 'zod'
import { queryInteger } from './params.ts'

/** Returns the query parameters of a paged list. Spread them into a strict object with the list's own parameters. */
export const pageQuery = (limit: { fallback: number; max: number }) => ({
  page: queryInteger({ min: 1, fallback: 1, describe: 'page number, from 1' }),
  limit: queryInteger({ min: 1, ...limit, describe: 'items per page' }),
})

/** The page fields of a paged answer. Spread them into the schema of the response. */
export const PageFields = {
  total: z.int().min(0).describe('items on all pages'),
  page: z.int().min(1),
  limit: z.int().min(1),
  has_more: z.boolean().describe('whether another page follows'),
}

export type PageRequest = { page: number; limit: number }

export function pageOf({ page, limit, total }: PageRequest & { total: number }) {
  return { total, page, limit, has_more: page * limit < total }
}

export const skipOf = ({ page, limit }: PageRequest): number => (page - 1) * limit
