import type { Filter } from 'mongodb'
import type { BY_ORDER, JobDocument } from './documents.ts'

/** The order of a list of jobs. */
export type ListOrder = { sort: keyof typeof BY_ORDER | 'status'; order: 'asc' | 'desc' }

/** Returns the sort of a list: ties are in the order of creation among equal statuses, else of the ids. */
export function sortOf({ sort, order }: ListOrder): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1
  return Object.fromEntries(fieldsOf(sort).map((field) => [field, direction]))
}

/** Returns the filter of the jobs that follow a job in a list. */
export function following(job: JobDocument, { sort, order }: ListOrder): Filter<JobDocument> {
  const operator = order === 'asc' ? '$gt' : '$lt'
  const fields = fieldsOf(sort)
  const [first] = fields
  const ties = fields.map((field, index) => {
    const equal = fields.slice(0, index).map((earlier) => [earlier, job[earlier]])
    return { ...Object.fromEntries(equal), [field]: { [operator]: job[field] } }
  })
  // The first condition follows from the others. It bounds the index.
  return { $and: [{ [first]: { [`${operator}e`]: job[first] } }, { $or: ties }] }
}

type Field = ListOrder['sort'] | '_id'

const fieldsOf = (sort: ListOrder['sort']): [Field, ...Field[]] =>
  sort === 'status' ? ['status', 'created_at', '_id'] : [sort, '_id']
