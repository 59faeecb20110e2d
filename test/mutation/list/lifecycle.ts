import { type Mutation, mutationsOf } from '../mutation.ts'

const CRASHES = ['test/coordinator/crash-table.services.test.ts', 'test/coordinator/jobs/engine.services.test.ts']
const RACES = ['test/coordinator/race-table.services.test.ts']
const CREATION = ['test/api/idempotency.services.test.ts', 'test/coordinator/jobs']

const BACKUPS = ['test/coordinator/backup/moments.services.test.ts']

/** They use databases that this release must not write to. */
const UNUSABLE = ['test/coordinator/backup/backup.services.test.ts']

/** How jobs are created, run, end, are cancelled and deleted, also after a crash between two steps. */
export const lifecycle: Mutation[] = [
  ...mutationsOf(
    'coordinator/jobs/store.ts',
    ['test/coordinator/jobs/rest.services.test.ts'],
    [['all rests of a job count for as long as its max_time', "{ $multiply: ['$data.max_time', 1_000] }, ", '']],
  ),
  ...mutationsOf(
    'coordinator/jobs/present.ts',
    ['test/coordinator/jobs/eta.test.ts'],
    [
      ['a job ends at its cap, if that comes first', 'Math.min(untilFull, listed - done)', 'listed - done'],
      ['the end is unknown while searches list places', 'if (progress.searches_ended) return', 'if (true) return'],
    ],
  ),
  ...mutationsOf('coordinator/backup/backup.ts', BACKUPS, [
    [
      'a job whose settlement a backup lacks is closed again',
      '(!settled.has(_id) || working.has(_id))',
      'working.has(_id)',
    ],
    ['a job without a hold in a backup is left out', 'listed === true && held.has(_id) && ', 'listed === true && '],
  ]),
  ...mutationsOf(
    'coordinator/backup/backup.ts',
    ['test/coordinator/backup/copied-jobs.test.ts'],
    [['a chain that is billed later stays open in a backup', 'sealed === true && !settled.has(job_id)', 'false']],
  ),
  ...mutationsOf('coordinator/backup/restore.ts', UNUSABLE, [
    ['a schema beyond this release is refused', 'version <= SCHEMA_VERSION', 'version > 0'],
    [
      'a database with an unfinished restore is refused',
      'if ((await marksOf(db).findOne(MARK)) !== null) {',
      'if (false) {',
    ],
  ]),
  ...mutationsOf('coordinator/backup/backup.ts', UNUSABLE, [
    ['a database with an unfinished restore is not backed up', 'await checkUsable(db)', ''],
  ]),
  ...mutationsOf('coordinator/operator/commands/context.ts', UNUSABLE, [
    ['operators do not write to a database with an unfinished restore', 'await checkUsable(db)', ''],
  ]),
  ...mutationsOf(
    'coordinator/backup/restore.ts',
    ['test/coordinator/jobs/proxies.services.test.ts'],
    [['proxies of a job that ended during a backup are left out', 'return open.has(_id)', 'return true']],
  ),
  ...mutationsOf('coordinator/backup/restore.ts', BACKUPS, [
    ['the holds of jobs that a backup lacks are released', 'await releaseLostHolds(db)', ''],
    ['a job that was deleted during a backup is left out', 'if (gone.has(_id)) return false', ''],
  ]),
  ...mutationsOf(
    'coordinator/jobs/job-end.ts',
    ['test/coordinator/jobs/job-end.test.ts'],
    [
      ['a job ends at its cap', 'totals.places >= data.max_results', 'totals.places > data.max_results'],
      ['a job waits for all of its tasks', '&& tasks.ended === tasks.total', ''],
      ['a job waits for tasks that are not planned yet', '&& !unplanned', ''],
      ['a job does not end while cells of its area are left', '&& !inputs.area?.more', ''],
      ['a job whose area was not answered for is partial', '&& !inputs.area?.blocked', ''],
      ['a job with given up tasks and places is partial', 'if (job.totals.places > 0) return PARTLY_BLOCKED', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/job-end.ts',
    ['test/coordinator/jobs/job-end.test.ts'],
    [['a failed job with late places is completed', "end.status === 'failed' && places > 0", 'false']],
  ),
  ...mutationsOf(
    'coordinator/jobs/job-end.ts',
    ['test/coordinator/jobs/search-on.services.test.ts'],
    [
      [
        'the last collect task waits for all searches',
        'tasks.searching > 0 || area?.more === true',
        'tasks.searching > 0',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/search-on.ts',
    ['test/coordinator/jobs/search-on.services.test.ts'],
    [
      ['few listed places wait to be collected', '|| references - collected * job.task_size > MOST_UNCOLLECTED', ''],
      ['failed searches are not planned for ever', 'failedSearches < MOST_FAILED', 'true'],
    ],
  ),
  ...mutationsOf(
    'coordinator/coverage/exhaustion.ts',
    ['test/coordinator/coverage/exhaustion.test.ts'],
    [
      ['a cell without an answer is left out', 'looks === 0 && blocks < MOST_BLOCKS', 'looks === 0'],
      ['a cell is searched a bounded number of times', 'one.searches < MOST_SEARCHES && ', ''],
      ['places that answers omit are searched again', 'if (!next) break', 'break'],
      ['the widest cells come first', 'due.sort(byHeight)', 'due'],
      ['a look that missed few by chance does not end a small area', '+ 2 * Math.sqrt', '+ 0 * Math.sqrt'],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/engine.ts',
    ['test/coordinator/jobs/search-on.services.test.ts'],
    [['a job that exhausts its area ends completed at its deadline', '?.data.exhaust)', '?.data.demo)']],
  ),
  ...mutationsOf('coordinator/jobs/finish.ts', CRASHES, [
    ['the cost of a job is what was charged', 'total_cost: charged', 'total_cost: 0'],
    ['what follows the end of a job is due at once', 'deps.followEnd(job_id)', ''],
  ]),
  ...mutationsOf('coordinator/jobs/ended-jobs.ts', CRASHES, [
    ['a cancelled pending job gives its hold back', 'await bill(deps, job)', ''],
    ['everything hears of the end of a job', 'await hook(job, signal)', ''],
    [
      'a deleted job loses its data',
      "else if (job.phase === 'deleting') await purge(deps, job, signal)",
      "else if (job.phase === 'deleting') return",
    ],
  ]),
  ...mutationsOf(
    'coordinator/jobs/finish.ts',
    ['test/coordinator/fleet/job-life.services.test.ts'],
    [
      ['a job is billed for what its sealed chain holds', 'costWith(job, totals) })', 'costWith(job, job.totals) })'],
      ['an ended job takes no more places', 'const totals = await results.seal(job_id)', 'const totals = job.totals'],
      ['an ended job has no open tasks', 'await cancelTasks(db, job_id)\n  deps.announceEnd', 'deps.announceEnd'],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/ended-jobs.ts',
    ['test/coordinator/jobs/delete-running.services.test.ts'],
    [['the places of a deleted job are removed', 'await results.bury(job_id)\n', '']],
  ),
  ...mutationsOf('coordinator/jobs/engine.ts', CRASHES, [
    [
      'an aborting job waits for its agents',
      'if (running > 0 && !(await abortTimedOut(deps.db, job_id, deps.timings))) return',
      'if (false) return',
    ],
    [
      'an aborting job does not wait for ever',
      'if (running > 0 && !(await abortTimedOut(deps.db, job_id, deps.timings))) return',
      'if (running > 0) return',
    ],
    ['a block at the deadline is the end of a job', '(await isBlocked(deps.db, job_id))', 'false'],
    ['a job whose hold is spent ends', 'if (spent) await decideEnd(deps, job_id, SPENT)', 'if (false) return'],
    [
      'a job is charged its start once it starts',
      "if (started) void canFail(log, 'charging the start',",
      "if (false) void canFail(log, 'charging the start',",
    ],
    ['waiting tasks of an aborted job end at once', "await cancelTasks(deps.db, job_id, ['waiting', 'released'])", ''],
    ['progress is shown', 'if (read.sums) await showProgress(flow, job, progress)', ''],
  ]),
  ...mutationsOf(
    'coordinator/jobs/store.ts',
    ['test/coordinator/jobs/store.services.test.ts'],
    [
      ['a job that was listed is not taken for a dead creation', "{ phase: 'creating', ...tooLong }", 'tooLong'],
      ['a rollback that was begun is finished', "{ phase: 'rolling_back' }, {", '{'],
      ['a creation that was given up is never listed', "{ _id: job_id, phase: 'creating' }", '{ _id }'],
      ['totals only rise', '{ $max: totals,', '{ $set: totals,'],
      ['a listed job is never undone', '{ _id: job_id, phase: { $in: [...IN_CREATION] } }', '{ _id: job_id }'],
    ],
  ),
  ...mutationsOf(
    'coordinator/jobs/phase-moves.ts',
    ['test/coordinator/jobs/store.services.test.ts'],
    [
      ['a job leaves the phase that was seen', '{ _id: job._id, phase: job.phase }', '{ _id: job._id }'],
      ['an ended job frees its slot', "  slot: '$$REMOVE',\n", ''],
      ['a started job has a deadline', 'deadline_at, due_at, no_agent', 'due_at, no_agent'],
      ['a reason that was expected goes', '{ end: status, ...none, ...reasons }', '{ end: status, ...reasons }'],
      [
        'a deleted job is cancelled',
        "running: (db, job, set) => moveJob(db, job, 'aborting', { end: CANCELLED, set }),",
        '',
      ],
      [
        'a job deleted while it is closed loses its places',
        "['$listed', 'ended', 'deleting']",
        "[true, 'ended', 'ended']",
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
    ['test/coordinator/jobs/create.services.test.ts'],
    [
      [
        'a creation frees its key when its insert was not acknowledged',
        'if (isDatabaseDown(error)) await',
        'if (false) await',
      ],
      [
        'tasks of a creation that was undone meanwhile go',
        'if (!isLeft && (await findJob(db, job._id))) return false',
        'if (!isLeft) return false',
      ],
    ],
  ),
  ...mutationsOf('coordinator/jobs/create.ts', CRASHES, [
    ['a rolled back creation gives its hold back', 'await holds.void({ user_id: job.user_id, job_id: job._id })', ''],
    [
      'a creation that was undone meanwhile is refused',
      'if (!(await insertFirstTasks(deps.db, tasks, listing))) throw tooSlow()',
      'await insertFirstTasks(deps.db, tasks, listing)',
    ],
    ['a creation that nobody acknowledged is recognized', 'if (isGone !== false) throw error', 'throw error'],
  ]),
  ...mutationsOf('coordinator/jobs/create.ts', CREATION, [
    [
      'a creation that fails is rolled back',
      "const isGone = await canFail(deps.log, 'rolling back a job creation', rollbackCreation(deps, draft, wasRefused))",
      'const isGone = true',
    ],
    [
      'only a dead creation is rolled back for its key',
      'if (!(await isStalledCreation(deps.db, stalled._id))) return false',
      '',
    ],
    [
      'a rolled back creation leaves no tasks',
      'await removeTasks(db, job._id)\n  if (job.monitor ||',
      'if (job.monitor ||',
    ],
  ]),
  ...mutationsOf('coordinator/jobs/active-jobs.ts', CRASHES, [
    ['a dead creation is rolled back', 'if (await isStalledCreation(db, job._id)) await rollbackCreation(job)', ''],
    ['a job ends at its deadline', 'job.deadline_at < job.lease.at', 'false'],
    ['an abort that waited long enough ends', 'await engine.reconcile(job._id)', ''],
  ]),
  ...mutationsOf('coordinator/jobs/sweep.ts', CRASHES, [
    ['leases that ran out are taken away', 'of await leases.expire()', 'of [] as string[]'],
  ]),
  ...mutationsOf(
    'coordinator/mongo/due-workers.ts',
    ['test/coordinator/mongo/due-workers.services.test.ts'],
    [
      ['who lost a lease stops', 'if (!(await queue.renew(document))) lost.abort()', 'await queue.renew(document)'],
      ['a lease is renewed', 'if (!(await queue.renew(document))) lost.abort()', ''],
      ['no more than so many at once', 'running.size >= atOnce', 'false'],
    ],
  ),
  ...mutationsOf('coordinator/jobs/cancel.ts', CRASHES, [
    ['an ended job is not cancelled', "if (end !== undefined && phase !== 'ending') {", 'if (false) {'],
  ]),
  ...mutationsOf(
    'coordinator/jobs/create.ts',
    ['test/coordinator/jobs/refused.services.test.ts'],
    [
      [
        'a creation that cannot be paid writes nothing',
        'placeHold: await deps.holds.prepare(await holdOf(deps, draft, wanted))',
        'placeHold: () => holdOf(deps, draft, wanted).then(deps.holds.reserve)',
      ],
    ],
  ),
  ...mutationsOf('coordinator/jobs/create.ts', RACES, [
    ['a creation that lost the last credits leaves no entry', 'if (isLeft && !hasNoHold) await', 'if (isLeft) await'],
  ]),
  ...mutationsOf(
    'coordinator/jobs/due-jobs.ts',
    ['test/coordinator/jobs/retention.services.test.ts'],
    [['a job that has not ended is not deleted for its age', "phase: 'ended', ...isOld", '...isOld']],
  ),
  ...mutationsOf(
    'coordinator/jobs/following/follow.ts',
    ['test/coordinator/jobs/following.services.test.ts'],
    [['a follower gets every place before the end', 'places.length < BATCH', 'places.length <= BATCH']],
  ),
  ...mutationsOf(
    'coordinator/mcp/calls.ts',
    ['test/e2e/clients.e2e.test.ts'],
    [['a tool says why a failed job has no places', 'readableJob(job)\n', '\n']],
  ),
]
