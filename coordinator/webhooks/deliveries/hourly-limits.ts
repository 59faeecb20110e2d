import type { Db } from 'mongodb'
import { createRateWindow } from './rate-window.ts'
import type { Claimed } from './store.ts'

/** Deliveries an hour (SPEC, "Other limits"). */
export type HourlyLimits = { account: number; address: number }

/** What a delivery was counted for by now, and until when it must wait. */
export type Admission = { counted: readonly string[]; waitUntil: Date | undefined }

/** The limits on deliveries. */
export type DeliveryLimits = { admit(delivery: Claimed, address: string): Promise<Admission> }

/**
 * Limits per account and per address that is connected to, whatever names lead there. A delivery is counted once for
 * each: its retries are not, and one that waits for an address has already been counted for its account.
 */
export function createDeliveryLimits(db: Db, limits: HourlyLimits): DeliveryLimits {
  const accounts = createRateWindow(db, limits.account)
  const addresses = createRateWindow(db, limits.address)
  return {
    async admit(delivery, address) {
      const counted = [...delivery.counted]
      const checks = [
        { key: `account:${delivery.user_id}`, window: accounts },
        { key: `address:${address}`, window: addresses },
      ]
      for (const { key, window } of checks.filter((check) => !counted.includes(check.key))) {
        const waitUntil = await window.take(key)
        if (waitUntil) return { counted, waitUntil }
        counted.push(key)
      }
      return { counted, waitUntil: undefined }
    },
  }
}
