import type { Collection, Db } from 'mongodb'
import { emailsOf } from '../accounts/people.ts'
import { collection } from '../mongo/connect.ts'
import { type Index, using } from '../mongo/indexes.ts'
import { timeOrderedUuid } from '../mongo/time.ts'

export const SUPPORT_CATEGORIES = ['bug', 'feature', 'billing', 'account', 'other'] as const

/** A user's question. */
type SupportQuestion = {
  category: (typeof SUPPORT_CATEGORIES)[number]
  subject?: string | undefined
  message: string
}

type SupportRequestDocument = SupportQuestion & {
  _id: string
  user_id: string
  created_at: Date
}

/** A request with the address to answer to; absent when the user no longer exists. */
export type SupportRequest = SupportRequestDocument & { email?: string }

const requestsOf = (db: Db): Collection<SupportRequestDocument> => collection(db, 'support_requests')

const byUser: Index = {
  collection: 'support_requests',
  name: 'user_created',
  key: { user_id: 1, created_at: -1, _id: -1 },
}

export const supportIndexes: readonly Index[] = [
  { collection: 'support_requests', name: 'created', key: { created_at: -1, _id: -1 } },
  byUser,
]

/** Requests of a user that are kept. */
const KEPT = 100

/** Stores a user's request for the operators, and removes the user's oldest beyond a hundred. */
export async function addSupportRequest(db: Db, user_id: string, question: SupportQuestion): Promise<void> {
  const requests = requestsOf(db)
  await requests.insertOne({ _id: timeOrderedUuid(), user_id, ...question, created_at: new Date() })
  const newest = requests
    .find({ user_id }, { projection: { _id: 1 }, ...using(byUser) })
    .sort({ created_at: -1, _id: -1 })
  const old = await newest.skip(KEPT).toArray()
  if (old.length > 0) await requests.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
}

/** Returns the latest requests of all users, newest first. */
export async function listSupportRequests(db: Db, limit: number): Promise<SupportRequest[]> {
  const requests = await requestsOf(db).find().sort({ created_at: -1, _id: -1 }).limit(limit).toArray()
  const emails = await emailsOf(
    db,
    requests.map(({ user_id }) => user_id),
  )
  return requests.map((request) => {
    const email = emails.get(request.user_id)
    return email === undefined ? request : { ...request, email }
  })
}
