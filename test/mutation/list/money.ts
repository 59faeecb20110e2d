import { type Mutation, mutationsOf } from '../mutation.ts'

const BILLING = 'test/coordinator/billing'

/** Prices, holds, charges, purchases and what Stripe says of them. */
export const money: Mutation[] = [
  ...mutationsOf(
    'shared/review-options.ts',
    ['test/shared/review-options.test.ts'],
    [
      ['reviews of an older day are not billed', 'published_at >= reviews_since', 'true'],
      ['reviews with other stars are not billed', 'reviews_ratings.includes(starsOf(rating))', 'true'],
      ['an anonymous review has no name', 'options.reviewer_names ? matching', 'true ? matching'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/prices/cost.ts',
    [`${BILLING}/cost.test.ts`],
    [
      ['a job that never ran costs no start', 'job_start: started ? 1 : 0', 'job_start: 1'],
      ['contact details cost only when emails are wanted', 'include_emails ? totals.places : 0', 'totals.places'],
      [
        'a filter costs for each place',
        "website_filter === 'all' ? 0 : totals.places",
        "website_filter === 'all' ? totals.places : 0",
      ],
      ['reviews are billed', 'review: totals.reviews', 'review: 0'],
      ['images are billed', 'image: totals.images', 'image: totals.reviews'],
      ['an item costs its price times its quantity', 'times(job.prices[type], quantity[type])', 'job.prices[type]'],
      ['the total is the sum of the items', 'sum + item.cost, 0', 'item.cost, 0'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/prices/cost.ts',
    [`${BILLING}/money.test.ts`],
    [
      ['an amount has at most six decimals', '(\\.\\d{1,6})?$/', '(\\.\\d{1,7})?$/'],
      ['amounts are shown with six decimals', 'toFixed(6)', 'toFixed(5)'],
      ['whole credits round half up', 'Decimal.ROUND_HALF_UP', 'Decimal.ROUND_DOWN'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/prices/estimate.ts',
    [`${BILLING}/estimate.test.ts`],
    [
      [
        'a search finds at most 120 places',
        'Math.min(PLACES_A_PAGE * depth, PLACES_A_SEARCH)',
        'PLACES_A_PAGE * depth',
      ],
      ['max_results caps the estimate', 'Math.min(Math.round(count) - known_places, most)', 'Math.round(count)'],
      [
        'the ceiling counts the reviews of every place',
        'reviews: places * job.max_reviews',
        'reviews: job.max_reviews',
      ],
      ['the ceiling counts the images of every place', 'images: places * job.max_images', 'images: job.max_images'],
      [
        'the lower bound is the least number of places',
        'placeCounts(factors, prices).min).total',
        'placeCounts(factors, prices).max).total',
      ],
      [
        'fewer reviews than the average are not estimated as the average',
        'reviews: places * Math.min(max_reviews, REVIEWS_A_PLACE)',
        'reviews: places * REVIEWS_A_PLACE',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/holds.ts',
    [`${BILLING}/spending-limits.test.ts`],
    [
      [
        'what a job left of its hold can be spent by its key',
        'entry.reference_type === HOLD)?.key',
        'entry.reference_type === START)?.key',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/purchases/stripe/sweep.ts',
    [`${BILLING}/stripe-failures.services.test.ts`],
    [['an event that Stripe lists late is read', 'new Date(until.getTime() - OVERLAP_MS)', 'until']],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/holds.ts',
    [`${BILLING}/holds.test.ts`],
    [
      ['a job that cannot be paid is refused', 'if (free < min)', 'if (free < 0)'],
      ['no more is held than is available', 'held_change: Math.min(max, free)', 'held_change: max'],
      ['a rolled back creation cannot hold again', 'if (jobMoney(entries).settled) throw', 'if (false) throw'],
      ['the start costs no more than is held', 'const amount = Math.min(price, held)', 'const amount = price'],
      ['a settlement charges no more than is held', 'Math.min(total - charged, held)', 'total - charged'],
      [
        'a settlement charges what was not charged yet',
        'Math.max(0, Math.min(total - charged, held))',
        'Math.max(0, Math.min(total, held))',
      ],
      ['a settlement gives the rest of the hold back', '{ ...change, held_change: 0 - held,', '{ ...change,'],
      ['a settlement without a charge releases the hold', 'rest === 0 ? {', 'false ? {'],
      ['a charge lowers the balance', 'amount: 0 - amount,\n  held_change', 'amount,\n  held_change'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/ledger.ts',
    [`${BILLING}/ledger-model.test.ts`, `${BILLING}/holds.test.ts`],
    [
      ['a change is recorded once per reference', 'if (existing) return', 'if (false) return'],
      [
        'a decision never mixes an old state with newer entries',
        'about.some((entry) => entry.seq > state.seq)',
        'false',
      ],
      [
        'an entry that lost to a rival is tried again',
        'const done = await store.insert(entry)',
        'const done = (await store.insert(entry)) || true',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/ledger.ts',
    [`${BILLING}/holds.test.ts`, `${BILLING}/purchases.test.ts`],
    [
      ['held credits are not available', 'balance - held - deficit', 'balance - deficit'],
      ['a deficit is not available', 'balance - held - deficit)', 'balance - held)'],
      ['entries are numbered', 'seq: state.seq + 1', 'seq: state.seq'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/ledger.ts',
    [`${BILLING}/ledger-entry.test.ts`],
    [
      ['an account never goes below zero', 'sums.some((sum) => sum < 0)', 'false'],
      ['no more is held than the balance', 'state.held > state.balance ?', 'false ?'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/purchases/purchase-rules.ts',
    [`${BILLING}/purchases.test.ts`],
    [
      ['what a dispute grows by is owed', 'const growth = amount - taken - short', 'const growth = amount - short'],
      ['a purchase counts as purchased', 'purchased_change: amount', 'purchased_change: 0'],
      ['a purchase pays the deficit first', 'const amount = Math.min(deficit, balance - held)', 'const amount = 0'],
      [
        'a deficit is paid only from what is not held',
        'Math.min(deficit, balance - held)',
        'Math.min(deficit, balance)',
      ],
      [
        'a refund takes only what is not held',
        'const now = Math.min(amount, balance - held)',
        'const now = Math.min(amount, balance)',
      ],
      ['what a refund could not take is owed', 'const short = amount - done.taken', 'const short = 0'],
      ['a dispute that was won can be taken again', 'seq > Math.max(0, ...returns)', 'seq > 0'],
      ['a straggler takes nothing after a reversal', 'done.short > 0 || done.round > round', 'done.short > 0'],
      ['a reversal gives back what was owed, too', 'amount: taken + short', 'amount: taken'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/purchases/purchases.ts',
    [`${BILLING}/purchases.test.ts`],
    [
      ['a purchase is followed by paying the deficit', 'await payDown(user_id, session_id)', ''],
      [
        'a reversal is followed by paying the deficit',
        "if (entry) await payDown(user_id, id, inRound('deficit_paydown', round))",
        '',
      ],
      ['each growth of a dispute is owed', '`${type}_grown_to_${owing.amount}`', '`${type}_grown`'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/grant.ts',
    [`${BILLING}/grant.test.ts`],
    [
      ['a bonus cannot take credits', "type === 'bonus' && amount < 0", 'false'],
      [
        'an adjustment takes no more than is available',
        'if (free + change.amount >= 0) return change',
        'return change',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/prices/price-rules.ts',
    [`${BILLING}/price-rules.services.test.ts`],
    [['new prices never shorten an estimate that was given', 'if (!(from >= earliest))', 'if (false)']],
  ),
  ...mutationsOf(
    'coordinator/billing/prices/price-rules.ts',
    [`${BILLING}/price-rules.services.test.ts`],
    [
      ['prices apply from their time on', 'from: { $lte: time }', 'from: { $lt: time }'],
      [
        'the newest prices in force win',
        '{ from: { $lte: time } }, { sort: { from: -1 } }',
        '{ from: { $lte: time } }, { sort: { from: 1 } }',
      ],
      [
        'a new job has the newest prices in force',
        'findOne(begun, { sort: { from: -1 } })',
        'findOne(begun, { sort: { from: 1 } })',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/ledger/store.ts',
    [`${BILLING}/price-rules.services.test.ts`, `${BILLING}/ledger-store.services.test.ts`],
    [
      [
        'the last entry is the one with the highest number',
        '.sort({ seq: -1 }).limit(1)',
        '.sort({ seq: 1 }).limit(1)',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/verify/verify-job.ts',
    [`${BILLING}/verify.services.test.ts`],
    [
      [
        'an ended job whose hold was not settled is found',
        "if (!money.settled) return ['has ended",
        "if (false) return ['has ended",
      ],
      ['a wrong number of places is found', 'recorded[kind] !== stored[kind]', 'false'],
      ['a wrong charge is found', 'charged === cost ? []', 'true ? []'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/verify/verify-entries.ts',
    [`${BILLING}/verify.services.test.ts`, `${BILLING}/verify-entries.test.ts`],
    [
      ['a second entry for one reference is found', 'return isRepeated', 'return false'],
      ['a wrong sum is found', 'recorded[sum] !== expected[sum]', 'false'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/purchases/stripe/reconcile.ts',
    [
      `${BILLING}/stripe-reconcile.services.test.ts`,
      `${BILLING}/stripe-checkout.services.test.ts`,
      `${BILLING}/stripe-events.services.test.ts`,
    ],
    [
      ['a session of another user is not credited', '(owner !== undefined && session.user_id !== owner)', 'false'],
      ['only a paid session is credited', "if (state !== 'paid') return state", ''],
      ['a purchase marks the user as paying', 'await markPaid(db, user_id)', ''],
      ['a refund is followed when a payment has moved', '(hasMoved || session.disturbed)', 'false'],
      [
        'a failed refund is given back',
        'await purchases.giveBack({ user_id, ...movement, round })\n  return true',
        'return false',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/purchases/stripe/objects.ts',
    [
      `${BILLING}/stripe-reconcile.services.test.ts`,
      `${BILLING}/stripe-events.services.test.ts`,
      `${BILLING}/stripe-checkout.services.test.ts`,
    ],
    [
      ['a session of another currency is not credited', "session.currency === 'usd'", 'true'],
      ['a session of another amount is not credited', 'session.amount_total === due', 'true'],
      ['a lost dispute stays taken', 'lost: true', 'lost: false'],
      ['a won dispute is given back', 'won: false', 'won: true'],
      ['a failed refund takes nothing', 'failed: false', 'failed: true'],
    ],
  ),
  ...mutationsOf(
    'coordinator/billing/purchases/stripe/receive-event.ts',
    [`${BILLING}/stripe-events.services.test.ts`],
    [['an old signature is refused', 'TOLERANCE_SECONDS = 300', 'TOLERANCE_SECONDS = 300_000_000']],
  ),
]
