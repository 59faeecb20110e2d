import type { Ledger } from './ledger.ts'
import type { MicroCredits } from './money.ts'
import {
  bought,
  givenBack,
  owed,
  paidDown,
  type TakeBackKind,
  type TakenBack,
  taken,
  takenBack,
} from './purchase-rules.ts'

/** A refund or dispute by its id at the payment processor. */
export type TakeBack = { user_id: string; kind: TakeBackKind; id: string }

/**
 * Credits bought and taken back. Every step is recorded once per session, refund or dispute, and may be repeated from
 * the first after a crash between any two entries.
 */
export type Purchases = {
  /** Credits a paid checkout session, and pays out of it what the account owes. */
  record(purchase: { user_id: string; session_id: string; amount: MicroCredits }): Promise<void>
  /** Takes credits back; what is spent or held for jobs is owed from then on, and cannot be spent again. */
  takeBack(what: TakeBack & { amount: MicroCredits }): Promise<void>
  /** Gives back what `takeBack` took and what it left owing. */
  giveBack(what: TakeBack): Promise<void>
  /** What was recorded about a refund or dispute. */
  takenBack(user_id: string, id: string): Promise<TakenBack>
}

/** The entry of a purchase has this type of reference, and the session as id (SPEC, "Credit transaction"). */
export const PURCHASE = 'checkout_session'

/** The purchases kept in a ledger. */
export function createPurchases(ledger: Ledger): Purchases {
  // Until it is paid, a deficit lessens what is available: so nothing can be spent between two entries.
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
    },
    async giveBack({ user_id, kind, id }) {
      const reference = { reference_type: `${kind}_reversal`, reference_id: id }
      const entry = await ledger.append(user_id, reference, (_, about) => givenBack(about, kind))
      if (entry) await payDown(user_id, id)
    },
    takenBack: async (user_id, id) => takenBack(await ledger.about(user_id, id)),
  }
}
