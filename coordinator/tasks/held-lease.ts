import type { Lease, Leases } from './lease.ts'

/** A moment by two clocks: one that is never adjusted, and one that continues while the host sleeps. */
export type Moment = { monotonicMs: number; wallMs: number }

export const momentNow = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() })

/** An agent's lease at the coordinator that serves its stream: it knows when the database last confirmed it. */
export type HeldLease = {
  readonly lease: Lease
  /** Renews the lease, unless the database confirmed it within this time. Returns false when it is lost. */
  renewIfOlderThan(ms: number): Promise<boolean>
  /** Runs a write that renews the lease. It records nothing when the lease is lost. */
  confirmBy<Written extends { isRecorded: boolean }>(write: () => Promise<Written>): Promise<Written>
  /** Another stream may hold the lease, so the next check asks the database. */
  markUnsure(): void
}

/** @param granted a moment before the database granted the lease. */
export function holdLease(leases: Pick<Leases, 'renew'>, lease: Lease, granted: Moment): HeldLease {
  let confirmed: Moment | undefined = granted
  const confirmBy: HeldLease['confirmBy'] = async (write) => {
    const before = momentNow()
    const written = await write()
    if (written.isRecorded) confirmed = before
    return written
  }
  return {
    lease,
    confirmBy,
    async renewIfOlderThan(ms) {
      if (confirmed && isWithin(confirmed, ms)) return true
      return (await confirmBy(async () => ({ isRecorded: await leases.renew(lease) }))).isRecorded
    },
    markUnsure() {
      confirmed = undefined
    },
  }
}

function isWithin({ monotonicMs, wallMs }: Moment, ms: number): boolean {
  const age = Math.max(performance.now() - monotonicMs, Date.now() - wallMs)
  return age >= 0 && age < ms
}
