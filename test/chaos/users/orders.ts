import type { Call } from './history.ts'

/** A job that a user requested with one Idempotency-Key, and its known state. */
export type Order = {
  user: User
  key: string
  /** The body of the request; its name is unique. */
  request: {
    name: string
    keywords: string[]
    max_results: number
    max_time: number
    fast_mode: boolean
    include_emails: boolean
    proxies: string[]
  }
  /** What the calls that create it came to: `open` until one was answered. */
  created: 'open' | 'ok' | 'refused'
  /** Every id that was answered; more than one would be two jobs for one key. */
  ids: Set<string>
  cancel?: 'ok' | 'refused' | 'unknown'
  delete?: 'ok' | 'refused' | 'unknown'
  calls: Call[]
}

/** A user with their own key. */
export type User = { name: string; user_id: string; key: string; webhook?: { id: string; secret: string } }

/** Returns the id of the job of an order that was created. */
export const idOf = (order: Order): string | undefined => [...order.ids][0]
