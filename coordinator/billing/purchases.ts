import type { MicroCredits } from './cost.ts'
import type { Ledger } from './ledger.ts'
import {
  bought,
  givenBack,
  grown,
  owed,
  paidDown,
  type TakeBackKind,
  type TakenBack,
  taken,
  takenBack,
} from './purchase-rules.ts'

/** A refund or dispute, by its id at the payment processor. */
export type TakeBack = { user_id: string; kind: TakeBackKind; id: string }

/**
 * Purchases and their reversals. Every step is recorded once per session, refund or dispute, and may be repeated from
 * the start after a crash.
 */
export type Purchases = {
  /** Credits a paid checkout session, and pays the deficit of the account from it. */
  record(purchase: { user_id: string; session_id: string; amount: MicroCredits }): Promise<void>
  /**
   * Takes credits back. Spent and held credits become a deficit. Call it again when the amount has grown: the growth
   * becomes a deficit too.
   */
  takeBack(what: TakeBack & { amount: MicroCredits }): Promise<void>
  /** Returns what `takeBack` took and clears its deficit. */
  giveBack(what: TakeBack): Promise<void>
  /** Returns what was recorded for a refund or dispute. */
  takenBack(user_id: string, id: string): Promise<TakenBack>
}

/** The reference type of a purchase; its id is the session. */
export const PURCHASE = 'checkout_session'

/** Creates the purchases of a ledger. */
export function createPurchases(ledger: Ledger): Purchases {
  // A deficit reduces what is available until it is paid, so nothing can be spent between two entries.
  const payDown = (user_id: string, id: string) =>
    ledger.append(user_id, { reference_type: 'deficit_paydown', reference_id: id }, (state) => paidDown(state))
  return {
    async record({ user_id, session_id, amount }) {
      await ledger.append(user_id, { reference_type: PURCHASE, reference_id: session_id }, () => bought(amount))
      await payDown(user_id, session_id)
    },
    async takeBack({ user_id, kind, id, amount }) {
      await ledger.append(user_id, { reference_type: kind, reference_id: id }, (state, about) =>
        taken(state, about, kind, amount),
      )
      await ledger.append(user_id, { reference_type: `${kind}_deficit`, reference_id: id }, (_, about) =>
        owed(about, kind, amount),
      )
      // The amount is part of the reference, so each growth is recorded once.
      await ledger.append(user_id, { reference_type: `${kind}_grown_to_${amount}`, reference_id: id }, (_, about) =>
        grown(about, kind, amount),
      )
    },
    async giveBack({ user_id, kind, id }) {
      const reference = { reference_type: `${kind}_reversal`, reference_id: id }
      const entry = await ledger.append(user_id, reference, (_, about) => givenBack(about, kind))
      if (entry) await payDown(user_id, id)
    },
    takenBack: async (user_id, id) => takenBack(await ledger.about(user_id, id)),
  }
}
