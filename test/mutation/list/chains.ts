import { type Mutation, mutationsOf } from '../mutation.ts'

const RESULTS = ['test/coordinator/results/append.services.test.ts']

/** Chains of results and references, indexes and write concerns: nothing is stored twice, lost or stored too late. */
export const chains: Mutation[] = [
  ...mutationsOf('coordinator/results/append.ts', RESULTS, [
    [
      'only an own tail is remembered',
      'if (durable) tails.set(job_id, tailOf(durable))',
      'if (last) tails.set(job_id, tailOf(last))',
    ],
    ['a seal that lost to a place is tried again', '[closing])).inserted === 1)', '[closing])).inserted >= 0)'],
    [
      'the seal outlives the places of a deleted job',
      'await updateAll(results, { job_id, sealed: { $exists: false } }, seals, { index: resultsBy.job_position })',
      'await results.deleteMany({ job_id })',
    ],
    ['nothing is stored behind a seal', 'if (tail?.sealed) return []', ''],
    ['a sealed chain says so', "if (tail?.sealed) return 'sealed'", ''],
    [
      'a chain never grows beyond the cap of its job',
      'Math.max(0, to.max_results - (tail?.position ?? 0))',
      'to.max_results',
    ],
    ['a full chain says so', '(tail?.position ?? 0) >= to.max_results', '(tail?.position ?? 0) > to.max_results'],
    ['a place that the hold does not cover is not stored', 'return !to.affordable(totals)', 'return false'],
    ['the totals run along the chain', 'totals = added(totals, place)\n    tiers', 'tiers'],
    [
      'reviews of both kinds are counted',
      '(place.user_reviews?.length ?? 0) + (place.user_reviews_extended?.length ?? 0)',
      'place.user_reviews?.length ?? 0',
    ],
    ['images are counted', 'totals.images + (place.images?.length ?? 0)', 'totals.images'],
    ['a place sent again by its own task is no duplicate', 'storedBy.get(place_key) !== to.task_id', 'true'],
    [
      'the totals of a sealed chain are those of the place before the seal',
      'if (tail?.sealed) return tail.totals',
      'if (tail?.sealed) return NOTHING',
    ],
  ]),
  ...mutationsOf(
    'coordinator/mongo/locks.ts',
    ['test/coordinator/mongo'],
    [
      [
        'only a duplicate key counts as lost against a rival',
        '!isDuplicateKey(failure) || failed >= members.length',
        'failed >= members.length',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/mongo/locks.ts',
    ['test/coordinator/mongo/chain.test.ts'],
    [
      [
        'what is known is not appended again',
        'result.left = result.left.filter((item) => !known.has(item.place_key))',
        '',
      ],
      ['what a rival took is tried behind it', 'result.left.splice(0, inserted)', 'result.left.splice(0)'],
      [
        'appending ends when nothing fits',
        'if (members.length === 0) break',
        'if (members.length === 0) throw new Error()',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/mongo/connect.ts',
    ['test/coordinator/mongo/connect.services.test.ts'],
    [
      [
        'writes are acknowledged by the journal',
        'client.db(databaseOf(url), { writeConcern })',
        'client.db(databaseOf(url))',
      ],
      [
        'a replica set acknowledges by its majority',
        "set: { w: 'majority', journal: true,",
        'set: { w: 1, journal: true,',
      ],
      ['a write without a majority ends in time', ', wtimeoutMS: 10_000', ''],
      ['an election costs no write', 'retryWrites: true', 'retryWrites: false'],
      ['no secondary is asked', "mode === 'primary'", 'mode'],
      ['a database that hangs does not answer', 'isAnswered ?? false', 'isAnswered ?? true'],
    ],
  ),
  ...mutationsOf(
    'coordinator/mongo/locks.ts',
    ['test/coordinator/mongo/slots.services.test.ts'],
    [
      ['no more slots than the limit', 'Array.from({ length: limit }', 'Array.from({ length: limit + 1 }'],
      ['a slot that a rival took is tried again', 'if (!isDuplicateKey(error, index)) throw error', 'throw error'],
    ],
  ),
  ...mutationsOf(
    'coordinator/mongo/failures.ts',
    [
      'test/coordinator/mongo',
      'test/coordinator/http/errors.services.test.ts',
      'test/coordinator/mongo/slots.services.test.ts',
    ],
    [
      [
        'a duplicate key is told by its index',
        'return indexes.length === 0 || indexes.some(({ key }) => isDeepStrictEqual(error.keyPattern, key))',
        'return true',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/webhooks/deliveries/store.ts',
    ['test/coordinator/webhooks/deliveries/hourly-limits.services.test.ts'],
    [['a delivery that is retried by hand counts again for the hourly limits', '      counted: [],\n', '']],
  ),
  ...mutationsOf(
    'coordinator/webhooks/deliveries/store.ts',
    ['test/coordinator/webhooks/deliveries'],
    [
      ['an attempt is counted before it is made', '$set: { attempt_count: number, attempts', '$set: { attempts'],
      [
        'a coordinator that lost its lease still records that it delivered',
        'filter: { _id: delivery._id }',
        'filter: heldBy(delivery)',
      ],
      [
        'attempts in flight go on when a webhook is disabled',
        'const WAITS = { lease: { $exists: false } } as const',
        'const WAITS = {}',
      ],
      ['a lost lease begins no attempt', '        heldBy(delivery),\n', '        { _id: delivery._id },\n'],
      [
        'a postponed delivery does not come back sooner',
        'due_at: { $exists: true, $lt: until }',
        'due_at: { $exists: true }',
      ],
      ['an exhausted limit does not postpone a retry', 'counted: { $ne: limit }, ', ''],
      [
        'one delivery a job and webhook',
        'if (isDuplicateKey(error, deliveriesBy.job_webhook, deliveriesBy.pause_webhook)) return false',
        '',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/webhooks/deliveries/deliver.ts',
    ['test/coordinator/webhooks/deliveries'],
    [
      [
        'a revoked webhook gets nothing',
        "webhook.revoked_at || webhook.health_state === 'disabled'",
        "webhook.health_state === 'disabled'",
      ],
      [
        'a delivery has no more attempts than promised',
        'if (attempt >= delivery.max_attempts) return exhaust',
        'if (attempt > delivery.max_attempts) return exhaust',
      ],
      ['a lease is kept while an attempt takes long', 'deps.queue.renew(delivery))', 'Promise.resolve())'],
      ['a retry by hand does not disable a webhook', '!by_hand && (await', '(await'],
    ],
  ),
  ...mutationsOf(
    'coordinator/webhooks/store.ts',
    ['test/coordinator/webhooks'],
    [
      [
        'failures at the same time are all counted',
        'const unchanged = { _id, url, health_state, consecutive_failures }',
        'const unchanged = { _id }',
      ],
      ['a delivery is counted once as failed', 'if (counted.includes(delivery_id)) return undefined', ''],
      ['another user cannot see a webhook', 'findOne({ _id: webhook_id, user_id })', 'findOne({ _id: webhook_id })'],
    ],
  ),
]
