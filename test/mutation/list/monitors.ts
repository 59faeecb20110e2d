import { type Mutation, mutationsOf } from '../mutation.ts'

const MONITORS = 'test/coordinator/monitors'
const RUN = [`${MONITORS}/run.services.test.ts`]
const RECORD = [`${MONITORS}/changes/record.services.test.ts`]
const ONLY_NEW = ['test/coordinator/known-places/only-new.services.test.ts']

/** Runs of monitors, the changes that they report, and the places that users know. */
export const monitors: Mutation[] = [
  ...mutationsOf('coordinator/monitors/change.ts', RUN, [
    ['a monitor is not run between two jobs of a series', 'monitor.continuing || ', ''],
    ['a monitor is not run while the job of a due run is created', 'monitor.starting || ', ''],
  ]),
  ...mutationsOf('coordinator/monitors/run.ts', RUN, [
    [
      'a job that cannot be created is tried until the next run is due',
      'RETRIED.has(error.code) && (nextDue(monitor) ?? now) > now',
      'RETRIED.has(error.code)',
    ],
  ]),
  ...mutationsOf('coordinator/monitors/store.ts', RUN, [
    [
      'a run that has ended is not shown as started again',
      '{ $setOnInsert: { monitor_id, ...run } }',
      '{ $set: { monitor_id, ...run } }',
    ],
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
    [
      'a place that is gone for one user stays known to the others',
      'deleteMany({ user_id, place_key: { $in: gone } })',
      'deleteMany({ place_key: { $in: gone } })',
    ],
  ]),
  ...mutationsOf('coordinator/fleet/ingest.ts', ONLY_NEW, [
    ['a known place is looked at directly', '.filter((key) => !looks.has(key))', ''],
  ]),
  ...mutationsOf('coordinator/known-places/store.ts', ONLY_NEW, [
    [
      'places that only another user knows are new',
      '{ user_id, place_key: { $in: keys }, ...collectedWithin(recheck_after) }',
      '{ place_key: { $in: keys }, ...collectedWithin(recheck_after) }',
    ],
  ]),
]
