import type { Db } from 'mongodb'
import { createHourlyWindow, type HourlyWindow } from '../../accounts/limits.ts'
import type { DeliveryDocument } from './documents.ts'

/** Deliveries per hour. */
export type HourlyLimits = { account: number; address: number }

/** One of the limits of a delivery: its key, what counted the delivery so far, and how long it waits if exhausted. */
export type LimitResult = { key: string; counted: readonly string[]; waitUntil: Date | undefined }

export type DeliveryLimits = {
  /** Counts a delivery for its account. */
  ofAccount(delivery: Pick<DeliveryDocument, 'user_id' | 'counted'>): Promise<LimitResult>
  /** Counts a delivery for the address that it goes to. */
  ofAddress(counted: readonly string[], address: string): Promise<LimitResult>
}

/**
 * Two hourly limits: per account, and per address that is connected to. A delivery takes one from each, once: neither a
 * retry nor a wait takes again.
 */
export function createDeliveryLimits(db: Db, limits: HourlyLimits): DeliveryLimits {
  const accounts = createHourlyWindow(db, limits.account)
  const addresses = createHourlyWindow(db, limits.address)
  const once = async (window: HourlyWindow, key: string, counted: readonly string[]): Promise<LimitResult> => {
    if (counted.includes(key)) return { key, counted, waitUntil: undefined }
    const waitUntil = await window.take(key)
    return { key, counted: waitUntil ? counted : [...counted, key], waitUntil }
  }
  return {
    ofAccount: ({ user_id, counted }) => once(accounts, `deliveries_account:${user_id}`, counted),
    ofAddress: (counted, address) => once(addresses, `deliveries_address:${address}`, counted),
  }
}
