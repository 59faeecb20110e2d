import { type Mutation, mutationsOf } from '../mutation.ts'

const RATE = 'test/coordinator/http/rate-limit'

/** Authentication, rate limits and concurrent limits. */
export const admission: Mutation[] = [
  ...mutationsOf(
    'coordinator/http/rate-limit.ts',
    [RATE],
    [
      ['a bucket never holds more than its burst', 'Math.min(policy.burst, before.tokens +', '(before.tokens +'],
      ['a clock that goes back gives no tokens', 'Math.max(0, elapsedMs) / 1000', 'elapsedMs / 1000'],
      [
        'no request is granted without a whole token',
        'Math.floor(refilled + ROUNDING)',
        'Math.ceil(refilled + ROUNDING)',
      ],
      ['a grant takes tokens', 'tokens: refilled - granted, at', 'tokens: refilled, at'],
      ['a request that was overtaken does not set the clock back', 'at: overtaken ? before.at : now', 'at: now'],
      ['of a batch only as many are granted as there are tokens', 'granted: nth < granted', 'granted: true'],
    ],
  ),
  ...mutationsOf(
    'coordinator/http/rate-limit.ts',
    [RATE, 'test/coordinator/accounts'],
    [
      [
        'the database grants no more than the burst',
        "{ $min: [policy.burst, { $add: ['$$tokens', growth] }] }",
        "{ $add: ['$$tokens', growth] }",
      ],
      ['the database takes what it grants', "{ $subtract: ['$$refilled', '$$granted'] }", "'$$refilled'"],
    ],
  ),
  ...mutationsOf(
    'coordinator/http/rate-limit.ts',
    [RATE],
    [['what is taken is remembered', 'buckets.set(network, state)', '']],
  ),
  ...mutationsOf(
    'coordinator/http/addresses.ts',
    [RATE],
    [
      ['one network has one bucket', 'const NETWORK_GROUPS = 4', 'const NETWORK_GROUPS = 8'],
      ['an IPv4 address inside an IPv6 one is that address', 'ipaddr.process(address)', 'ipaddr.parse(address)'],
    ],
  ),
  ...mutationsOf(
    'coordinator/accounts/limits.ts',
    ['test/coordinator/accounts/accounts.services.test.ts'],
    [['a user without a token left is refused', 'bucket?.granted === 0', 'false']],
  ),
  ...mutationsOf(
    'coordinator/accounts/limits.ts',
    ['test/coordinator/jobs/following.services.test.ts'],
    [
      ['a user has at most ten streams open', '{ $slice: [all, most] }', 'all'],
      ['a stream of a dead coordinator counts no more', "{ $gt: ['$$this.expires_at', '$$NOW'] }", 'true'],
    ],
  ),
  ...mutationsOf(
    'coordinator/http/authentication.ts',
    ['test/coordinator/http', 'test/coordinator/accounts'],
    [
      [
        'a route wants an account',
        "if (access === 'account' && !authenticated && !request.is404) throw refusalOf(request.headers, credential)",
        '',
      ],
      ['an account over its limit is refused', "if (!granted) throw rateLimited(reading, 'requests')", ''],
      [
        'callers without an account are limited by address',
        'if (!authenticated) takeFromAddress(request, reply, options.addressLimit)\n    else accept(',
        'if (authenticated) accept(',
      ],
      [
        'an address over its limit is refused',
        "if (!granted) throw rateLimited(reading, 'requests from this address')",
        '',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/idempotency.ts',
    ['test/api/idempotency.services.test.ts'],
    [
      ['a key with another body is refused', 'job.idempotency.fingerprint !== request.fingerprint', 'false'],
      ['a key is forgotten after its time', 'if (job.key_has_expired) {', 'if (false) {'],
      ['a key that is in use is refused', 'if (isCreated) return job\n', 'return job\n'],
      ['a key is one value', 'another !== undefined || ', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/idempotency.ts',
    ['test/coordinator/jobs/fingerprint.test.ts'],
    [['the order of members makes no other body', '.sort(([one], [other]) => (one < other ? -1 : 1))', '']],
  ),
  ...mutationsOf(
    'coordinator/jobs/create.ts',
    ['test/coordinator/jobs/engine.services.test.ts'],
    [
      ['a user creates no more jobs a minute than allowed', 'await deps.creationLimit.take(wanted.user_id)', ''],
      ['a user has no more active jobs than allowed', 'if (!inserted) throw tooManyJobs(concurrent_jobs)', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/create.ts',
    ['test/coordinator/known-places/only-new.services.test.ts'],
    [
      [
        'a job needs exactly the total_min of its estimate',
        'deps.known.countOf(user_id, data, data.recheck_after, mostListed(data))',
        'deps.known.countOf(user_id, data)',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/proxies.ts',
    ['test/api/secrets.services.test.ts'],
    [['proxies are stored sealed', 'secrets.seal(JSON.stringify(proxies))', 'JSON.stringify(proxies)']],
  ),
  ...mutationsOf(
    'coordinator/mongo/batched.ts',
    ['test/coordinator/mongo/batched.test.ts'],
    [
      [
        'a failure reaches everybody who waits',
        'for (const { reject } of [...batch, ...(queues.get(key) ?? [])]) reject(error)',
        'for (const { reject } of batch) reject(error)',
      ],
      ['calls for one key run together', 'if (queue) queue.push(waiting)', 'if (false) queue'],
    ],
  ),
  ...mutationsOf(
    'coordinator/accounts/sessions.ts',
    ['test/coordinator/accounts', 'test/coordinator/auth'],
    [
      ['a session ends after its time', "{ $gt: ['$expires_at', '$$NOW'] }, ", ''],
      ['an idle session ends', ", { $gt: ['$last_used_at', ago(IDLE_HOURS, 'hour')] }", ''],
      [
        'only the owner ends a session',
        'findOneAndDelete({ _id: session_id, user_id })',
        'findOneAndDelete({ _id: session_id })',
      ],
    ],
  ),
]
