import type { Ledger } from '../ledger/ledger.ts'
import type { MicroCredits } from '../prices/cost.ts'
import {
  deficitPayment,
  purchaseEntry,
  type RefundState,
  refundDeficit,
  refundEntry,
  refundIncrease,
  refundReversal,
  refundState,
  type TakeBackKind,
} from './purchase-rules.ts'

/** A refund or dispute, by its id at the payment processor, in the round that `refundState` returned. */
type TakeBack = { user_id: string; kind: TakeBackKind; id: string; round: number }

/**
 * Purchases and their reversals. Every step is recorded once per session, refund or dispute, and may be repeated from
 * the start after a crash.
 */
export type Purchases = {
  /** Credits a paid checkout session, and pays the deficit of the account from it. */
  record(purchase: { user_id: string; session_id: string; amount: MicroCredits }): Promise<void>
  /**
   * Takes credits back. Spent and held credits become a deficit. Call it again when the amount has grown: the growth
   * becomes a deficit too. Does nothing when the round is over, because the credits were given back meanwhile.
   */
  takeBack(what: TakeBack & { amount: MicroCredits }): Promise<void>
  /** Returns what `takeBack` took and clears its deficit. */
  giveBack(what: TakeBack): Promise<void>
  /** Returns what was recorded for a refund or dispute. */
  refundState(user_id: string, id: string): Promise<RefundState>
}

/** The reference type of a purchase; its id is the session. */
export const PURCHASE = 'checkout_session'

export function createPurchases(ledger: Ledger): Purchases {
  // A deficit reduces what is available until it is paid, so nothing can be spent between two entries.
  const payDown = (user_id: string, id: string, type = 'deficit_paydown') =>
    ledger.append(user_id, { reference_type: type, reference_id: id }, (state) => deficitPayment(state))
  return {
    async record({ user_id, session_id, amount }) {
      await ledger.append(user_id, { reference_type: PURCHASE, reference_id: session_id }, () => purchaseEntry(amount))
      await payDown(user_id, session_id)
    },
    async takeBack({ user_id, id, ...owing }) {
      const type = inRound(owing.kind, owing.round)
      await ledger.append(user_id, { reference_type: type, reference_id: id }, (state, about) =>
        refundEntry(state, about, owing),
      )
      await ledger.append(user_id, { reference_type: `${type}_deficit`, reference_id: id }, (_, about) =>
        refundDeficit(about, owing),
      )
      // The amount is part of the reference, so each growth is recorded once.
      await ledger.append(
        user_id,
        { reference_type: `${type}_grown_to_${owing.amount}`, reference_id: id },
        (_, about) => refundIncrease(about, owing),
      )
    },
    async giveBack({ user_id, kind, id, round }) {
      const reference = { reference_type: `${inRound(kind, round)}_reversal`, reference_id: id }
      const entry = await ledger.append(user_id, reference, (_, about) => refundReversal(about, kind))
      if (entry) await payDown(user_id, id, inRound('deficit_paydown', round))
    },
    refundState: async (user_id, id) => refundState(await ledger.about(user_id, id)),
  }
}

/** Returns the reference type of an entry of a round. Each entry is made once a round. */
const inRound = (type: string, round: number): string => (round === 0 ? type : `${type}_${round + 1}`)
