import { type Mutation, mutationsOf } from '../mutation.ts'

const FLEET = 'test/coordinator/fleet'
const LEASE = ['test/coordinator/tasks/lease.services.test.ts']
const STORE = ['test/coordinator/tasks/store.services.test.ts']
const CONTRACT = [`${FLEET}/contract.services.test.ts`, 'test/coordinator/tasks']

/** The right to run a task, and what an agent may do with it. */
export const leases: Mutation[] = [
  ...mutationsOf(
    'coordinator/mongo/connect.ts',
    ['test/coordinator/mongo/closing-connection.services.test.ts'],
    [['a command on a broken connection ends', "socket.emit('drain')\n      socket.on", 'socket.on']],
  ),
  ...mutationsOf('coordinator/tasks/lease.ts', LEASE, [
    [
      'a resumed task is that of the same attempt',
      "({ _id, agent_id, attempt, state: 'running' })",
      "({ _id, agent_id, state: 'running' })",
    ],
    ['a failed task waits before it is tried again', "not_before: fromNow(delayMs, 'millisecond'),", ''],
    ['outcomes are added up', '{ $add: [{ $ifNull: [`$${field}`, 0] }, count] }', 'count'],
    [
      'the outcomes that come with the end are counted',
      '$inc: Object.fromEntries(aboveZero(added(counted, stored))),',
      '',
    ],
    [
      'a task is given up after three failures',
      "{ $gte: [{ $add: ['$failures', 1] }, MAX_FAILURES] }",
      "{ $gte: ['$failures', MAX_FAILURES] }",
    ],
    ['a failure is counted', "failures: { $add: ['$failures', 1] },", ''],
    [
      'a task that is handed back spends no attempt',
      "{ $set: { state: 'waiting', ...endedAttempt('handed_back') } },",
      "{ $set: { state: 'waiting', failures: { $add: ['$failures', 1] }, ...endedAttempt('handed_back') } },",
    ],
    ['a lease that ran out is taken away', "$lt: ['$lease_until', '$$NOW']", "$lt: ['$lease_until', new Date(0)]"],
    ['a task that ended is done', "state: 'done' as const,", "state: 'failed' as const,"],
    [
      'revoking one agent leaves the tasks of another whose name begins alike',
      "`^${processId(name, '')}`",
      '`^${name}`',
    ],
  ]),
  ...mutationsOf('coordinator/tasks/documents.ts', STORE, [
    [
      'a task that failed counts as ended',
      "ENDED_STATES: TaskState[] = ['done', 'failed', 'cancelled']",
      "ENDED_STATES: TaskState[] = ['done', 'cancelled']",
    ],
  ]),
  ...mutationsOf('coordinator/tasks/store.ts', STORE, [
    ['a failed task is kept for operators', "['failed', 30 * 24],", "['failed', 12],"],
    [
      'a task is not released before its delay',
      "{ $expr: { $lte: ['$not_before', '$$NOW'] } }",
      '{ not_before: { $exists: true } }',
    ],
    [
      'a waiting task is released once',
      "const waiting = { _id: { $in: documents.map((task) => task._id) }, state: 'waiting' } as const",
      'const waiting = { _id: { $in: documents.map((task) => task._id) } } as const',
    ],
    ['tasks are released in order', '.sort({ ordinal: 1 }).limit(count)', '.sort({ ordinal: -1 }).limit(count)'],
    ['a cancel takes only the tasks in the states it names', 'state: { $in: states } }', 'state: { $exists: true } }'],
  ]),
  ...mutationsOf('coordinator/tasks/lease.ts', CONTRACT, [
    [
      'a task is granted once',
      "state: 'released',\n        ...(held.exit === undefined",
      '...(held.exit === undefined',
    ],
    ['each claim is a new attempt', "attempt: { $add: ['$attempt', 1] }", "attempt: '$attempt'"],
    [
      'a claim whose answer was lost is granted again',
      'if (task || claim_id === undefined) return',
      'if (true) return',
    ],
    [
      'a lost claim is granted again only to the same agent',
      'agent_id: holder.agent_id, claim_id } as const',
      'claim_id } as const',
    ],
    ['a lease is of one stream', 'stream: lease.stream })', '})'],
    ['what is acknowledged is remembered', '[{ $set: { sequence, lease_until', '[{ $set: { lease_until'],
  ]),
  ...mutationsOf(
    'coordinator/tasks/plan.ts',
    ['test/coordinator/tasks/plan.test.ts'],
    [
      ['the last places of a search get a task', 'Math.ceil(references / size)', 'Math.floor(references / size)'],
      ['a part of a task waits while the search goes on', 'searching ? Math.floor(', 'searching ? Math.ceil('],
      ['a job does not fill the queue', 'JOB_WINDOW - demand.unclaimed.job', 'JOB_WINDOW'],
      [
        'a user does not fill the queue',
        'userWindow(demand.slots, demand.paid) - demand.unclaimed.user',
        'userWindow(demand.slots, demand.paid)',
      ],
      [
        'no more tasks than the places that are wanted',
        'Math.max(needed - demand.collecting, demand.collecting === 0 ? 1 : 0)',
        'needed',
      ],
      [
        'a paying user has the larger part',
        'paid ? USER_WINDOW.paid : USER_WINDOW.free',
        'paid ? USER_WINDOW.free : USER_WINDOW.paid',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/tasks/plan.ts',
    ['test/coordinator/tasks/references.services.test.ts'],
    [
      ['a job lists no more places than its limit', 'Math.max(0, most - start)', 'most'],
      ['places without room are counted', 'refused: distinct.length - appended - known.length', 'refused: 0'],
      ['the places of a job have no gap', 'position: start + index + 1', 'position: start + index + 2'],
    ],
  ),
  ...mutationsOf(
    'coordinator/tasks/held-lease.ts',
    ['test/coordinator/tasks/held-lease.test.ts'],
    [
      [
        'a lease is renewed after the machine slept',
        'Math.max(performance.now() - monotonicMs, Date.now() - wallMs)',
        'performance.now() - monotonicMs',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/snooze.ts',
    ['test/coordinator/tasks/snooze.services.test.ts'],
    [['a refused task with proxies rests, on any exit', 'others: proxied ? []', 'others: false ? []']],
  ),
  ...mutationsOf(
    'coordinator/fleet/ingest.ts',
    [`${FLEET}/ingest.services.test.ts`],
    [
      ['an event with too many references breaks the contract', 'messages.length > MAX_EVENT.references', 'false'],
      ['an event with too many places breaks the contract', 'messages.length > MAX_EVENT.places', 'false'],
      [
        'references that are none are counted as broken',
        'const broken = messages.length - references.length',
        'const broken = 0',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/run-task.ts',
    [`${FLEET}/contract.services.test.ts`, `${FLEET}/recovery.services.test.ts`],
    [
      [
        'an event that was acknowledged is not stored again',
        'sequence > acknowledged ? await handleEvent',
        'true ? await handleEvent',
      ],
      ['a missing event breaks the contract', 'if (sequence !== acknowledged + 1n) throw', 'if (false) throw'],
      ['a stream begins with a claim', "if (first.value.message?.$case !== 'claim') throw", 'if (false) throw'],

      ['a claim is small', 'bytes.length > MAX_CLAIM_BYTES', 'false'],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/counts.ts',
    [`${FLEET}/ingest.services.test.ts`],
    [
      [
        'counts beyond reason are not counted',
        'Object.values(counts).every((count) => count <= MAX_COUNT) ? counts : {}',
        'counts',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/claim.ts',
    [
      `${FLEET}/enrolment.services.test.ts`,
      `${FLEET}/contract.services.test.ts`,
      'test/coordinator/jobs/proxies.services.test.ts',
    ],
    [
      ['a drained agent claims nothing', "if (draining) return 'draining'", ''],
      ['a job that is over gives no task', 'if (!job || !proxies) {', 'if (false) {'],
      ['a job that has lost its proxies gives no task', '!job || !proxies', '!job'],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/commands.ts',
    [`${FLEET}/commands.services.test.ts`],
    [
      [
        'a revoked agent is told to leave',
        'if (!agent || agent.revoked_at || agent.hash !== hash) return',
        'if (!agent || agent.hash !== hash) return',
      ],
      [
        'a process with an old token of a name is told to leave',
        'if (!agent || agent.revoked_at || agent.hash !== hash) return',
        'if (!agent || agent.revoked_at) return',
      ],
      ['a drained agent is told so', "return agent.draining ? 'drain' : 'work'", "return 'work'"],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/commands.ts',
    [`${FLEET}/enrolment.services.test.ts`],
    [
      ['a revoked agent stops its tasks', "stream.stop('revoked')", ''],
      ['the tasks of a revoked agent are given back', 'await leases.handBack(stream.lease)', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/server.ts',
    [`${FLEET}/paced-reading.test.ts`],
    [['many small events are slowed, too', 'Math.max(bytes, leastBytes)', 'bytes']],
  ),
  ...mutationsOf(
    'agent/fleet/outbox.ts',
    ['test/agent/fleet/outbox.test.ts'],
    [
      [
        'a task is delivered when all of it is acknowledged',
        'pending.isPacked() && inFlight.length === 0',
        'pending.isPacked()',
      ],
      [
        'a new stream begins behind what was acknowledged',
        'this.acknowledge(acknowledged)\n      sent = 0',
        'this.acknowledge(acknowledged)',
      ],
      ['events are numbered', 'last += 1n', 'last += 0n'],
      ['the end comes once', 'if (last) end = undefined', ''],
      ['any other end comes alone', "|| end?.$case === 'finished'", '|| true'],
      ['the end comes behind everything found', 'places.length + references.length === 0', 'true'],
      ['collecting waits while too much is unacknowledged', '() => waiting() < MAX_WAITING', '() => true'],
      ['an event is no larger than a coordinator takes', 'index > 0 && bytes > MAX_EVENT_BYTES', 'false'],
    ],
  ),
  ...mutationsOf(
    'shared/exits/rules.ts',
    ['test/shared/exits', 'test/agent/maps/requests/exits.test.ts', 'test/agent/maps/requests/verdicts.test.ts'],
    [
      ['a refused exit rests', 'until: now + Math.max(ours,', 'until: now + 0 * Math.max(ours,'],
      ['a rest is never shorter than Retry-After', 'Math.max(ours, Math.min(LONGEST_REST_MS, retryAfterMs))', 'ours'],
      ['the site may not demand a rest without end', 'Math.min(LONGEST_REST_MS, retryAfterMs)', 'retryAfterMs'],
      ['unknown answers rest an exit', 'if (counted.unknowns < UNKNOWN_IN_A_ROW) return counted', 'return counted'],
      ['a proxy that works again is as new', '{ ...state, failures: 0, rest:', '{ ...state, rest:'],
      ['a blocked exit keeps a twentieth of its pace', 'Math.min(slowestGap(pace), gapMs * SLOWER)', 'gapMs * SLOWER'],
    ],
  ),
  ...mutationsOf(
    'agent/maps/requests/client-memory.ts',
    ['test/agent/maps/requests/exits.test.ts'],
    [
      [
        'Chromium is spared where it brought nothing twice',
        'if (tries >= USELESS_TRIES) useless',
        'if (false) useless',
      ],
      ['one refusal does not shut plain HTTP out', '>= UNANSWERED_REFUSALS', '>= 1'],
    ],
  ),
  ...mutationsOf(
    'agent/maps/requests/attempt.ts',
    ['test/agent/collect/limited.test.ts'],
    [
      ['what is missing in every answer is limited', 'limited: best.missing > 0', 'limited: false'],
      ['an incomplete answer is asked for once more', 'first.missing > 0 && question.asksTwice === true', 'false'],
    ],
  ),
  ...mutationsOf(
    'agent/maps/answers/classify.ts',
    ['test/agent/maps/answers', 'test/agent/maps/reductions.test.ts'],
    [
      [
        'a captcha is a block, whatever its status',
        '?? wallOf(body, marked !== undefined) ?? kindByStatus(status)',
        '?? kindByStatus(status) ?? wallOf(body, marked !== undefined)',
      ],
      ['too many requests are a block', "[429, 'blocked'],", ''],
      ['a page without marks of the site is told apart', "if (isPage(body)) return 'unmarked'", ''],
      ['a consent host is a consent wall', "if (url?.hostname.startsWith('consent.')) return 'consent'", ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/mongo/due-work.ts',
    ['test/coordinator/mongo/due-work.services.test.ts'],
    [
      ['what one holds is not due for others', 'due_at: end(), lease: { id, at', 'lease: { id, at'],
      ['a former holder changes nothing', "({ _id, 'lease.id': lease.id }) as const", '({ _id }) as const'],
      [
        'what is made due is taken from its holder',
        "due_at: nowOf(clock), lease: '$$REMOVE' }",
        'due_at: nowOf(clock) }',
      ],
      ['a host gets no more than its room', 'waiting.slice(0, of(value))', 'waiting'],
      ['a host without room is passed over', 'for (const value of byValue.keys()) passed.add(value)', 'return []'],
    ],
  ),
]
