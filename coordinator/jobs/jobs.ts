import { canFail } from '@placefleet/shared/log'
import { createUserLimit } from '../accounts/limits.ts'
import type { Billing } from '../billing/billing.ts'
import type { Context } from '../context.ts'
import { planAudit } from '../coverage/audit.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { ResultAppender } from '../results/append.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { createTowns } from '../towns/find-towns.ts'
import { createTownNear } from '../towns/near.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { createActiveJobWorkers } from './active-jobs.ts'
import { createJob, type JobCreation, rollbackCreation } from './create.ts'
import { createDemoJob } from './demo.ts'
import type { JobDocument } from './documents.ts'
import {
  createEndedJobWorkers,
  type EndedJobsDeps,
  type JobEndHook,
  recordKnownPlaces,
  whenPlacesKnown,
} from './ended-jobs.ts'
import { createJobEngine, type EngineDeps } from './engine.ts'
import { createJobLookups } from './lookups.ts'
import { endedJob } from './present.ts'
import { createReadPass } from './progress.ts'

/** The rooms below, and what jobs call of those above. */
type JobsDeps = {
  billing: Billing
  tasks: Tasks
  results: ResultAppender
  known: KnownPlaces
  secrets: SecretBox
} & Pick<EngineDeps, 'agents' | 'announceEnd'> &
  Pick<EndedJobsDeps, 'isNeeded'> &
  Pick<Webhooks, 'recordDeliveries'> & { recordRunEnd: JobEndHook }

export type Jobs = ReturnType<typeof createJobs>

/** Creates the room of jobs: their store, what drives them through their lives, and what creates them. */
export function createJobs(context: Context, { billing, tasks, ...others }: JobsDeps) {
  const { config, log, db } = context
  const deps = { ...context, ...billing, ...tasks, ...others }
  const recordDeliveries: JobEndHook = (job) => deps.recordDeliveries(endedJob(job))
  const onJobEnded = [recordDeliveries, recordKnownPlaces(db, deps.known), deps.recordRunEnd]
  const endedJobs = createEndedJobWorkers({ ...deps, onJobEnded })
  const engine = createJobEngine({
    ...deps,
    readPass: createReadPass(db),
    pendingHours: config.PENDING_HOURS,
    planAudit: (job_id) => planAudit(db, job_id),
    followEnd: (job_id) => void canFail(log, 'starting what follows the end of a job', endedJobs.startOne(job_id)),
  })
  const creationLimit = createUserLimit(db, 'job_create', config.RATE_JOB_CREATE, 'new jobs')
  const jobCreation = { ...deps, engine, creationLimit, taskAgents: { list: deps.agents } }
  const towns = createTowns()
  return {
    engine,
    endedJobs,
    activeJobs: createActiveJobWorkers({
      ...deps,
      engine,
      rollbackCreation: (job: JobDocument) => rollbackCreation(deps, job),
    }),
    /** What creates jobs for accounts. */
    jobCreation: {
      ...jobCreation,
      allowHosts: config.EGRESS_ALLOW_HOSTS,
      townNear: createTownNear(towns),
      concurrentJobs: { free: config.MAX_CONCURRENT_JOBS_FREE, paid: config.MAX_CONCURRENT_JOBS_PAID },
    },
    /** Creates a job without a token of the job limiter. */
    createJob: (wanted: JobCreation) => createJob({ ...jobCreation, creationLimit: UNLIMITED }, wanted),
    /** Creates the demo job of a user once, where there is a simulated city. Never throws. */
    createDemo: async (user_id: string) => {
      const created = context.demoCity && createDemoJob(jobCreation, user_id)
      await canFail(log, 'creating the demo job', Promise.resolve(created))
    },
    whenPlacesKnown: (user_id: string) => whenPlacesKnown(db, endedJobs, user_id),
    lookups: createJobLookups(db),
    towns,
  }
}

const UNLIMITED = { take: async () => undefined }
