import { z } from 'zod'
import { queryInteger } from './params.ts'

/** The query parameters of a list in pages. Spread it into a strict object together with the list's own. */
export const pageQuery = (limit: { fallback: number; max: number }) => ({
  page: queryInteger({ min: 1, fallback: 1, describe: 'which page, from 1 on' }),
  limit: queryInteger({ min: 1, ...limit, describe: 'items a page' }),
})

/** What a list in pages answers with beside its items. Spread it into the response's schema. */
export const PageFields = {
  total: z.int().min(0).describe('items on all pages'),
  page: z.int().min(1),
  limit: z.int().min(1),
  has_more: z.boolean().describe('whether there is a next page'),
}

export type PageRequest = { page: number; limit: number }

/** The page fields of an answer. */
export function pageOf({ page, limit, total }: PageRequest & { total: number }) {
  return { total, page, limit, has_more: page * limit < total }
}

/** Number of items before a page. */
export const skipOf = ({ page, limit }: PageRequest): number => (page - 1) * limit
