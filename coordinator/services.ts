import { canFail, type Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { accountIndexes } from './accounts/documents.ts'
import { limitIndexes } from './accounts/limits.ts'
import { findApiKey, findUser } from './accounts/store.ts'
import { authIndexes } from './auth/documents.ts'
import { createOidc, oidcNotConfigured } from './auth/oidc/oidc.ts'
import { oidcSettings } from './auth/oidc/settings.ts'
import { billingIndexes } from './billing/ledger/documents.ts'
import { createHolds } from './billing/ledger/holds.ts'
import { createLedger } from './billing/ledger/ledger.ts'
import { mongoLedgerStore } from './billing/ledger/store.ts'
import { microCredits } from './billing/prices/cost.ts'
import { mostListed } from './billing/prices/estimate.ts'
import type { EstimateRequest } from './billing/prices/estimate-schema.ts'
import { createPriceRules } from './billing/prices/price-rules.ts'
import { type Payments, paymentsNotConfigured } from './billing/purchases/payments.ts'
import { stripeIndexes } from './billing/purchases/stripe/documents.ts'
import type { StripePaymentsDeps } from './billing/purchases/stripe/payments.ts'
import { type StripeSettings, stripeSettings } from './billing/purchases/stripe/settings.ts'
import { planAudit } from './coverage/audit.ts'
import { coverageIndexes } from './coverage/documents.ts'
import { createCoverageStore } from './coverage/store.ts'
import { exitIndexes } from './exits/documents.ts'
import { createExitIds } from './exits/exit-id.ts'
import { createExitGrants } from './exits/grants.ts'
import { pacesOf } from './exits/paces.ts'
import { createProxyPool, pooledExits, rememberedPool } from './exits/pool.ts'
import { createExitStore } from './exits/store.ts'
import { activityIndexes, createAgentActivity } from './fleet/activity.ts'
import { agentIndexes, createAgentRegistry, createTaskAgents } from './fleet/agents.ts'
import { createRegistrations } from './fleet/commands.ts'
import { createIdentities, identityIndexes } from './fleet/identities.ts'
import { announceJobEnd } from './fleet/job-ends.ts'
import { createOpenStreams } from './fleet/open-streams.ts'
import { createPathChecks, pathCheckIndexes } from './fleet/path-checks.ts'
import { createQuota, EXIT_QUOTA, UNKNOWN_QUOTA } from './fleet/quota.ts'
import { createRunningJobs } from './fleet/running-jobs.ts'
import { createUnknownAnswers } from './fleet/unknown-answers.ts'
import { publicUrlOf } from './http/public-url.ts'
import { VERSION } from './http/version.ts'
import { createActiveJobWorkers } from './jobs/active-jobs.ts'
import { rollbackCreation } from './jobs/create.ts'
import type { DemoCity } from './jobs/demo-city.ts'
import { type JobDocument, jobIndexes } from './jobs/documents.ts'
import { createEndedJobWorkers, type JobEndHook } from './jobs/ended-jobs.ts'
import { createJobEngine } from './jobs/engine.ts'
import { recordKnownPlaces, whenPlacesKnown } from './jobs/known-places.ts'
import { endedJob } from './jobs/present.ts'
import { createJobProxies } from './jobs/proxies.ts'
import { createJobStore } from './jobs/store.ts'
import { knownPlaceIndexes } from './known-places/documents.ts'
import { createKnownPlaces } from './known-places/store.ts'
import { changeIndexes } from './monitors/changes/documents.ts'
import { createChangeStore } from './monitors/changes/store.ts'
import { monitorIndexes } from './monitors/documents.ts'
import { recordRunEnd } from './monitors/run-end.ts'
import { createRunStore } from './monitors/run-store.ts'
import { createMonitorStore } from './monitors/store.ts'
import { createPresence, presenceIndexes } from './process/presence.ts'
import type { Process } from './process/process.ts'
import { createResultAppender } from './results/append.ts'
import { resultIndexes } from './results/documents.ts'
import { createSecretBox, decodeSecretsKey, secretsNotConfigured } from './secrets/secret-box.ts'
import { supportIndexes } from './support/store.ts'
import { taskIndexes } from './tasks/documents.ts'
import { createLeases } from './tasks/lease.ts'
import { createTaskNotifier } from './tasks/notifier.ts'
import { createReferences } from './tasks/plan.ts'
import { queueState } from './tasks/queue-state.ts'
import { createTaskStore } from './tasks/store.ts'
import { TIMINGS, type Timings } from './timings.ts'
import { createDeliveryNotifier } from './webhooks/deliveries/dispatch.ts'
import { deliveryIndexes } from './webhooks/deliveries/documents.ts'
import { type PausedMonitor, recordDeliveries, recordPause } from './webhooks/deliveries/record.ts'
import { webhookIndexes } from './webhooks/documents.ts'

/** Every index of a coordinator. Unique indexes enforce rules. */
export const indexes = [
  ...accountIndexes,
  ...limitIndexes,
  ...authIndexes,
  ...billingIndexes,
  ...stripeIndexes,
  ...webhookIndexes,
  ...deliveryIndexes,
  ...resultIndexes,
  ...knownPlaceIndexes,
  ...taskIndexes,
  ...coverageIndexes,
  ...jobIndexes,
  ...monitorIndexes,
  ...changeIndexes,
  ...supportIndexes,
  ...identityIndexes,
  ...agentIndexes,
  ...exitIndexes,
  ...pathCheckIndexes,
  ...activityIndexes,
  ...presenceIndexes,
]

/** Returns the function that records the deliveries of a monitor's pause and announces them. */
const pauseAnnouncer = (db: Db, notifyDeliveries: () => void) => async (monitor: PausedMonitor) => {
  if ((await recordPause(db, monitor)) > 0) notifyDeliveries()
}

export type ServiceOptions = {
  /** Creates a demo job for users without a job when they sign in with a link. Undefined: no demo jobs. */
  demoCity?: DemoCity | undefined
  timings?: Timings | undefined
}

type ServiceDeps = Omit<Process, 'life'> & ServiceOptions

/** Wires the parts of a coordinator over one database and one queue. It starts none of them. */
export async function createServices(deps: ServiceDeps) {
  const { config, log, db, nats, demoCity, timings = TIMINGS } = deps
  const streams = createOpenStreams()
  const stores = createStores(deps, (user_id) => whenPlacesKnown(stores.jobs, endedJobs, user_id))
  const { ledger } = stores
  const notifier = await createTaskNotifier(nats, log, { replicas: config.NATS_REPLICAS, offerDemo: demoCity?.offer })
  const publicUrl = publicUrlOf(config)
  const stripe = stripeSettings(config)
  const notifyDeliveries = createDeliveryNotifier(nats, log)
  const announcePause = pauseAnnouncer(db, notifyDeliveries)
  const oidc = oidcSettings(config)
  const signupBonus = microCredits(config.SIGNUP_BONUS_CREDITS)
  const agents = createAgentRegistry(db)
  const unknownAnswers = createUnknownAnswers(db)
  const taskAgents = createTaskAgents(agents, config.PROXY_AGENTS)
  const hooks = jobHooks({ db, log }, stores, { notifyDeliveries, announcePause })
  const endedJobs = createEndedJobWorkers({ ...stores, ...hooks, log, timings })
  const engine = createJobEngine({
    ...stores,
    ...hooks,
    log,
    notifier,
    agents: taskAgents.list,
    pendingHours: config.PENDING_HOURS,
    announceEnd: announceJobEnd(nats, streams, log),
    followEnd: (job_id) => void canFail(log, 'starting what follows the end of a job', endedJobs.startOne(job_id)),
  })
  const rollBack = (job: JobDocument) => rollbackCreation(stores, job)
  const activeJobs = createActiveJobWorkers({ ...stores, log, timings, engine, rollbackCreation: rollBack })
  const prices = createPriceRules(db)
  const key = config.SECRETS_KEY === undefined ? undefined : decodeSecretsKey(config.SECRETS_KEY)
  const secrets = key === undefined ? secretsNotConfigured : createSecretBox(key)
  const exitIds = createExitIds(key ?? Buffer.alloc(0))
  const exitStore = createExitStore(db)
  const proxyPool = createProxyPool(db, { secrets, exitIds })
  const pooledProxies = rememberedPool(proxyPool)
  const concurrentJobs = { free: config.MAX_CONCURRENT_JOBS_FREE, paid: config.MAX_CONCURRENT_JOBS_PAID }
  const { jobs, tasks, references, holds, known, proxies, monitors, runs, changes } = stores
  const made = { jobs, tasks, references, holds, known, proxies }
  const creation = { ...made, log, prices, secrets, engine, demoCity, concurrentJobs }
  const { recordRunEnd } = hooks
  return {
    ...stores,
    log,
    timings,
    notifier,
    demoCity,
    unknownAnswers,
    pathChecks: createPathChecks(db),
    engine,
    activeJobs,
    endedJobs,
    /** What creates jobs. */
    creation,
    /** What runs monitors. */
    monitoring: { ...creation, monitors, runs, changes, announcePause, recordRunEnd, creatorOf: creatorOf(db) },
    notifyDeliveries,
    streams,
    prices,
    payments: stripe ? await paymentsThrough(stripe, { db, ledger, log, publicUrl, timings }) : paymentsNotConfigured,
    oidc: oidc ? createOidc(oidc, { db, ledger, log, publicUrl, signupBonus }) : oidcNotConfigured,
    agents,
    fleetExits: async () => {
      const pool = await pooledExits(db)
      return pacesOf(exitStore, pool.length > 0 ? pool : await agents.exits())
    },
    runningJobs: createRunningJobs(stores.jobs, engine),
    taskAgents,
    /** Without SECRETS_KEY there are no proxies, and what other exits are named after is no secret. */
    exitIds,
    proxyPool,
    pooledProxies,
    proxyAgents: config.PROXY_AGENTS,
    exitQuota: createQuota(log, EXIT_QUOTA),
    unknownQuota: createQuota(log, UNKNOWN_QUOTA),
    exitGrants: createExitGrants({ store: exitStore, log, gatherMs: timings.exitTurnsMs }),
    identities: createIdentities(db),
    registrations: createRegistrations(),
    queueState: () => queueState(nats),
    activity: createAgentActivity(db),
    presence: createPresence(db, VERSION),
    secrets,
  }
}

type Announcements = { notifyDeliveries(): void; announcePause: ReturnType<typeof pauseAnnouncer> }

/** Returns what jobs call of other capabilities: webhooks, known places, monitors and coverage. */
function jobHooks(
  { db, log }: { db: Db; log: Logger },
  { coverage, jobs, known, monitors, runs, changes }: ReturnType<typeof createStores>,
  { notifyDeliveries, announcePause }: Announcements,
) {
  const runEnds = (job: JobDocument, signal?: AbortSignal) =>
    recordRunEnd({ db, log, monitors, runs, changes, announcePause }, job, signal)
  const deliveries: JobEndHook = async (job) => {
    if ((await recordDeliveries(db, endedJob(job))) > 0) notifyDeliveries()
  }
  return {
    planAudit: (job_id: string) => planAudit(db, coverage, job_id),
    recordRunEnd: runEnds,
    isNeeded: async ({ monitor }: JobDocument) => monitor !== undefined && runs.isUncompared(monitor),
    onJobEnded: [deliveries, recordKnownPlaces(jobs, known), runEnds],
  }
}

function createStores(
  { db, counters, timings = TIMINGS }: ServiceDeps,
  whenRecorded: (user_id: string) => Promise<void>,
) {
  const ledgerStore = counters.ofLedger(mongoLedgerStore(db))
  const ledger = createLedger(ledgerStore)
  const known = createKnownPlaces(db, { whenRecorded })
  return {
    ledger,
    ledgerStore,
    jobs: counters.ofJobs(createJobStore(db, timings)),
    proxies: createJobProxies(db),
    tasks: createTaskStore(db),
    leases: createLeases(db, timings),
    references: createReferences(db),
    results: createResultAppender(db),
    holds: createHolds(ledger),
    known,
    coverage: createCoverageStore(db),
    countKnown: (user_id: string, search: EstimateRequest) =>
      known.countOf(user_id, search, search.recheck_after, mostListed(search)),
    monitors: createMonitorStore(db),
    runs: createRunStore(db),
    changes: createChangeStore(db),
  }
}

/** Returns the payments through Stripe. Loads its library only with payments, because it is large. */
async function paymentsThrough(settings: StripeSettings, deps: StripePaymentsDeps): Promise<Payments> {
  const { stripePayments } = await import('./billing/purchases/stripe/payments.ts')
  return stripePayments(settings, deps)
}

/** Returns whether the user of a monitor pays, and the limits of the key that created it. */
const creatorOf = (db: Db) => async (user_id: string, key_id: string | undefined) => {
  const [user, key] = [await findUser(db, user_id), key_id === undefined ? undefined : await findApiKey(db, key_id)]
  return { paid: user?.paid ?? false, limits: key?.limits ?? {} }
}

export type Services = Awaited<ReturnType<typeof createServices>>
