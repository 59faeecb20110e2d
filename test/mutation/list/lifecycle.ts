import { type Mutation, mutationsOf } from '../mutation.ts'

const CRASHES = ['test/coordinator/crash-table.services.test.ts', 'test/coordinator/jobs/engine.services.test.ts']
const CREATION = ['test/api/idempotency.services.test.ts', 'test/coordinator/jobs']

/** How jobs are created, run, end, are cancelled and deleted, also after a crash between two steps. */
export const lifecycle: Mutation[] = [
  ...mutationsOf(
    'coordinator/jobs/progress.ts',
    ['test/coordinator/jobs/job-end.test.ts'],
    [
      [
        'a job ends at its cap',
        'job.totals.places >= job.data.max_results',
        'job.totals.places > job.data.max_results',
      ],
      ['a job whose hold is spent ends', "if (job.spent) return { status: 'completed', partial: true }", ''],
      ['a job waits for all of its tasks', 'tasks.ended < tasks.total', 'false'],
      ['a job waits for tasks that are not planned yet', '|| unplanned) return undefined', ') return undefined'],
      [
        'a job with given up tasks and places is partial',
        "if (job.totals.places > 0) return { status: 'completed', partial: true }",
        '',
      ],
      ['an aborting job waits for its agents', 'tasks.running === 0 || facts.abort_timed_out', 'true'],
      ['an aborting job does not wait for ever', 'tasks.running === 0 || facts.abort_timed_out', 'tasks.running === 0'],
      ['a failed job with late places is completed', "end.status === 'failed' && places > 0", 'false'],
    ],
  ),
  ...mutationsOf('coordinator/jobs/finish.ts', CRASHES, [
    ['a cancelled pending job gives its hold back', 'await settle(deps, job, job.total_cost ?? 0)', ''],
    ['the end of a job is told to its webhooks', 'await deps.recordDeliveries(endedJob(job))', ''],
    ['a deleted job loses its data', 'if (job.deleted_at && !job.purged_at) await purge(deps, job._id)', ''],
    ['the cost of a job is what was charged', 'total_cost: charged', 'total_cost: 0'],
  ]),
  ...mutationsOf(
    'coordinator/jobs/finish.ts',
    ['test/coordinator/fleet/job-life.services.test.ts'],
    [
      ['a job is billed for what its sealed chain holds', 'costWith(job, totals))', 'costWith(job, job.totals))'],
      ['an ended job takes no more places', 'const totals = await results.seal(job._id)', 'const totals = job.totals'],
      ['an ended job has no open tasks', 'await tasks.cancel(job._id)\n    deps.announceEnd', 'deps.announceEnd'],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/finish.ts',
    ['test/coordinator/jobs/delete-running.services.test.ts'],
    [['the places of a deleted job are removed', 'await results.remove(job_id)\n', '']],
  ),
  ...mutationsOf('coordinator/jobs/engine.ts', CRASHES, [
    ['a job in creation is not released', 'if (!job || (!job.listed && !job.deleted_at)) return', 'if (!job) return'],
    [
      'an aborting job releases no more tasks',
      "job.status === 'aborting' ? NOTHING_RELEASED :",
      'false ? NOTHING_RELEASED :',
    ],
    [
      'a job is charged its start once it starts',
      "if (started) void canFail(log, 'charging the start',",
      "if (false) void canFail(log, 'charging the start',",
    ],
    ['waiting tasks of an aborted job end at once', "await tasks.cancel(job_id, ['waiting', 'released'])", ''],
    ['progress is shown', 'if (mustShow) await showProgress(flow, job, progress)', ''],
  ]),
  ...mutationsOf(
    'coordinator/jobs/store.ts',
    ['test/coordinator/jobs/store.services.test.ts'],
    [
      [
        'a running job that was deleted is not taken for a dead creation',
        '{ _id: job_id, listed: false, deleted_at: { $exists: false }, ...tooLong }',
        '{ _id: job_id, listed: false, ...tooLong }',
      ],
      ['a creation that was given up is never listed', '{ _id, given_up: { $exists: false } }', '{ _id }'],
      ['a job changes its status from the one that was seen', '{ _id: job_id, status: from }', '{ _id: job_id }'],
      ['an ended job frees its slot', "$unset: ['slot', 'progress.waiting_until'", "$unset: ['progress.waiting_until'"],
      ['a started job has a deadline', "{ started_at: '$$NOW', deadline_at }", "{ started_at: '$$NOW' }"],
      ['totals only rise', '{ $max: totals,', '{ $set: totals,'],
      [
        'a listed job is never undone',
        '{ _id: job_id, listed: false, deleted_at: { $exists: false } },',
        '{ _id: job_id },',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/user-jobs.ts',
    ['test/coordinator/jobs/store.services.test.ts'],
    [['another user cannot see a job', 'job?.user_id === user_id && job.listed ? job', 'job?.listed ? job']],
  ),
  ...mutationsOf(
    'coordinator/jobs/create.ts',
    ['test/coordinator/replica-set.services.test.ts'],
    [
      [
        'a creation frees its key when its insert was not acknowledged',
        'if (isDatabaseDown(error)) await',
        'if (false) await',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/job-count.ts',
    ['test/coordinator/jobs/job-count.services.test.ts'],
    [
      ['a listed or hidden job changes the number of jobs', '      kept.delete(user_id)', ''],
      ['a number that was counted beside a change is not kept', ' && changes === before', ''],
    ],
  ),
  ...mutationsOf('coordinator/jobs/create.ts', CRASHES, [
    [
      'a rolled back creation gives its hold back',
      'await holds.release({ user_id: job.user_id, job_id: job._id })',
      '',
    ],
    [
      'a creation that was undone meanwhile is refused',
      'if (!(await deps.jobs.list(draft, held))) throw tooSlow()',
      'await deps.jobs.list(draft, held)',
    ],
    ['a creation that nobody acknowledged is recognized', 'if (isGone !== false) throw error', 'throw error'],
  ]),
  ...mutationsOf('coordinator/jobs/create.ts', CREATION, [
    [
      'a creation that fails is rolled back',
      "const isGone = await canFail(deps.log, 'rolling back a job creation', rollbackCreation(deps, draft))",
      'const isGone = true',
    ],
    [
      'only a dead creation is rolled back for its key',
      'if (!(await deps.jobs.isStalledCreation(job._id))) return false',
      '',
    ],
    ['a rolled back creation leaves no tasks', 'await tasks.remove(job._id)\n  if (job.monitor)', 'if (job.monitor)'],
  ]),
  ...mutationsOf('coordinator/jobs/sweep.ts', CRASHES, [
    [
      'a job whose close was lost is closed by the sweep',
      'if (!isInCreation) return engine.reconcile(job._id)',
      'if (!isInCreation) return',
    ],
    [
      'a dead creation is rolled back by the sweep',
      'if (await jobs.isStalledCreation(job._id)) await rollbackCreation(job)',
      '',
    ],
    ['leases that ran out are taken away', 'await reconcileAll(deps, await leases.expire())', ''],
    ['a job ends at its deadline', "engine.abort(job_id, 'timeout')", 'Promise.resolve()'],
    ['an abort that waited long enough ends', 'await reconcileAll(deps, await jobs.abortTimeouts())', ''],
  ]),
  ...mutationsOf('coordinator/jobs/cancel.ts', CRASHES, [
    ['an ended job is not cancelled', "if (status === 'completed' || status === 'failed') {", 'if (false) {'],
  ]),
  ...mutationsOf('coordinator/jobs/engine.ts', CRASHES, [
    [
      'a deletion that a crash cut short is finished',
      "if (job.deleted_at && job.status !== 'aborting') {",
      "if (!job.deleted_at && job.status === 'aborting') {",
    ],
  ]),
  ...mutationsOf(
    'coordinator/mongo/migrations/runner.ts',
    ['test/coordinator/mongo/migrations'],
    [
      ['a schema beyond this release is refused', 'schema.readable_by ?? schema.version', '0'],
      ['one coordinator migrates at a time', 'return taken.modifiedCount === 1', 'return true'],
      ['a release works beside the one after it', 'readable_by: id - 1', 'readable_by: id'],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/due-jobs.ts',
    ['test/coordinator/jobs/retention.services.test.ts'],
    [['a job that has not ended is not deleted for its age', 'closed_at: { $exists: true }, ...isOld', '...isOld']],
  ),
  ...mutationsOf(
    'coordinator/jobs/following/follow.ts',
    ['test/coordinator/jobs/following.services.test.ts'],
    [['a follower gets every place before the end', 'places.length < BATCH', 'places.length <= BATCH']],
  ),
  ...mutationsOf(
    'coordinator/mcp/calls.ts',
    ['test/e2e/clients.services.test.ts'],
    [['a tool says why a failed job has no places', 'readableJob(job)\n', '\n']],
  ),
]
