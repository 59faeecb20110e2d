import { type Mutation, mutationsOf } from '../mutation.ts'

const MONITORS = 'test/coordinator/monitors'
const RUN = [`${MONITORS}/run.services.test.ts`]
const RECORD = [`${MONITORS}/changes/record.services.test.ts`]
const ONLY_NEW = ['test/coordinator/known-places/only-new.services.test.ts']

/** Runs of monitors, the changes that they report, and the places that users know. */
export const monitors: Mutation[] = [
  ...mutationsOf('coordinator/monitors/start-run.ts', RUN, [
    ['a monitor is not run while the job of a due run is created', "if (state !== 'started') return false", ''],
    [
      'a job that cannot be created is tried until the next run is due',
      'RETRIED.has(code) && until > now',
      'RETRIED.has(code)',
    ],
    [
      'the last run before the end of a monitor is tried again',
      'next ?? new Date(run.at.getTime() + START_WITHIN_MS)',
      'next ?? now',
    ],
    ['a paused monitor gets no job for a run that was due', 'monitor.paused && !run.by_hand', 'false'],
    ['a run by hand that is refused leaves nothing', 'if (run.by_hand) return runs.forget(run)', ''],
  ]),
  ...mutationsOf('coordinator/monitors/store.ts', RUN, [
    ['a failed run counts once', '{ counted_at: { $lt: began_at } }', '{ counted_at: { $lte: began_at } }'],
    [
      'a coordinator tells of a pause by the service after a crash',
      'paused_at: now(), ...setDueNow(clock),',
      'paused_at: now(),',
    ],
  ]),
  ...mutationsOf('coordinator/monitors/run-store.ts', RUN, [
    ['an Idempotency-Key of a run expires', "{ $lt: ['$at', oldest] }", "{ $lt: ['$at', new Date(0)] }"],
    ['one run of a monitor is active', 'active: true,', ''],
  ]),
  ...mutationsOf('coordinator/monitors/changes/record.ts', RECORD, [
    [
      'a run with places that timed out makes no place missing',
      'blocked + consent + limited + timeout === 0',
      'blocked + consent + limited === 0',
    ],
    [
      'a run with limited places makes no place missing',
      'blocked + consent + limited + timeout === 0',
      'blocked + consent + timeout === 0',
    ],
    [
      'a run behind a consent page makes no place missing',
      'blocked + consent + limited + timeout === 0',
      'blocked + limited + timeout === 0',
    ],
  ]),
  ...mutationsOf('coordinator/known-places/documents.ts', RECORD, [
    [
      'a place that is gone for one user stays known to the others',
      'deleteMany({ user_id, place_key: { $in: withHalves(keys) } })',
      'deleteMany({ place_key: { $in: withHalves(keys) } })',
    ],
  ]),
  ...mutationsOf('coordinator/monitors/changes/record.ts', RECORD, [
    ['after a crash in the first run, a place is not new any earlier', 'watched.since >= began_at ||', ''],
    ['a place that was compared before a crash is not compared again', 'watched.run_at >= began_at', 'false'],
  ]),
  ...mutationsOf(
    'coordinator/monitors/changes/detection.ts',
    [`${MONITORS}/changes/thirty-days.test.ts`],
    [
      ['a place that vanished is gone within six runs', 'const MOST_MISSES = 5', 'const MOST_MISSES = 6'],
      ['no place is new before the runs have seen nearly all', 'const FEW_UNSEEN = 0.01', 'const FEW_UNSEEN = 1'],
    ],
  ),
  ...mutationsOf('coordinator/fleet/ingest.ts', ONLY_NEW, [
    ['a known place is probed', '.filter((key) => !probes.has(key))', ''],
  ]),
  ...mutationsOf('coordinator/known-places/store.ts', ONLY_NEW, [
    [
      'places that only another user knows are new',
      '{ user_id, place_key: { $in: withHalves(keys) }, ...collectedWithin(recheck_after) }',
      '{ place_key: { $in: withHalves(keys) }, ...collectedWithin(recheck_after) }',
    ],
  ]),
  ...mutationsOf(
    'coordinator/known-places/store.ts',
    ['test/coordinator/known-places/store.services.test.ts'],
    [['places that a job saw lately stay known', '{ last_seen_at: 1 }', '{ last_seen_at: -1 }']],
  ),
]
