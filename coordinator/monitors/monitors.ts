import { findApiKey, findUser } from '../accounts/store.ts'
import type { Context } from '../context.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { type AnnouncePause, recordRunEnd } from './run-end.ts'
import { createRunStore } from './run-store.ts'
import { createMonitorStore } from './store.ts'

/** Creates the stores of monitors and of their runs, and what hears of jobs that ended. */
export function createMonitorStores({ log, db }: Context, announcePause: AnnouncePause) {
  const [monitors, runs] = [createMonitorStore(db), createRunStore(db)]
  const deps = { log, db, monitors, runs, announcePause }
  return {
    ...deps,
    recordRunEnd: (job: JobDocument, signal?: AbortSignal) => recordRunEnd(deps, job, signal),
    /** Whether a monitor still needs what a job left, because the run is not compared yet. */
    isNeeded: async ({ monitor }: JobDocument) => monitor !== undefined && runs.isUncompared(monitor),
    /** Returns whether the user of a monitor pays, and the limits of the key that created it. */
    async creatorOf(user_id: string, key_id: string | undefined) {
      const [user, key] = [await findUser(db, user_id), key_id === undefined ? undefined : await findApiKey(db, key_id)]
      return { paid: user?.paid ?? false, limits: key?.limits ?? {} }
    },
  }
}

/** Creates the room of monitors: what changes them, and what creates the jobs of their runs. */
export const createMonitors = (
  stores: ReturnType<typeof createMonitorStores>,
  { createJob, jobCreation: { secrets, allowHosts, townNear, concurrentJobs } }: Jobs,
) => ({ ...stores, createJob, secrets, allowHosts, townNear, concurrentJobs })
