import { createLookup } from '@placefleet/shared/egress/lookup'
import { canFail } from '@placefleet/shared/log'
import { createAuthenticator } from './accounts/authentication.ts'
import { createUserLimit } from './accounts/limits.ts'
import { isOperator } from './accounts/roles.ts'
import { accountRoutes } from './accounts/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { creditRoutes } from './billing/ledger/routes.ts'
import { costRoutes } from './billing/prices/cost-routes.ts'
import { estimateRoutes } from './billing/prices/estimate-routes.ts'
import { paymentsNotConfigured } from './billing/purchases/payments.ts'
import { stripeRoutes } from './billing/purchases/stripe/routes.ts'
import { consoleRoutes } from './console/server/routes.ts'
import { createFindTowns } from './console/towns/find-towns.ts'
import { townRoutes } from './console/towns/routes.ts'
import { coverageRoutes } from './coverage/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { guideRoutes } from './guides/routes.ts'
import type { Account } from './http/authentication.ts'
import type { CountRequest } from './http/request-log.ts'
import { createServer } from './http/server.ts'
import type { Server } from './http/typed-server.ts'
import type { BuildInfo } from './http/version.ts'
import { createDemoJob } from './jobs/demo.ts'
import { createJobWatch } from './jobs/following/job-watch.ts'
import { openWait } from './jobs/following/open-streams.ts'
import { followRoutes } from './jobs/following/routes.ts'
import { createJobLookups } from './jobs/lookups.ts'
import { jobRoutes } from './jobs/routes.ts'
import { jobTaskRoutes } from './jobs/tasks/routes.ts'
import { knownPlaceRoutes, UPLOADS } from './known-places/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { pingDatabase } from './mongo/connect.ts'
import { fullDatabaseDisk } from './mongo/data-disk.ts'
import { isDatabaseDown } from './mongo/failures.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { fleetNames } from './operator/fleet-names.ts'
import { adminRoutes } from './operator/routes.ts'
import type { Process } from './process/process.ts'
import { resultRoutes } from './results/routes.ts'
import type { Services } from './services.ts'
import { supportRoutes } from './support/routes.ts'
import type { TaskDocument } from './tasks/documents.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const prefix = '/api/v1'

type ApiProcess = Pick<Process, 'config' | 'log' | 'db'>

/** Creates the server of the public API with all routes. It does not listen yet. */
export async function createApi(
  { config, log, db }: ApiProcess,
  services: Services,
  { build, countRequest }: { build: BuildInfo; countRequest?: CountRequest | undefined },
): Promise<Server> {
  const server = await createServer({
    log,
    authenticator: createAuthenticator(db, {
      free: config.RATE_FREE,
      paid: config.RATE_PAID,
      session: config.RATE_SESSION,
      bootstrapKey: config.BOOTSTRAP_API_KEY,
    }),
    isUnavailable: isDatabaseDown,
    databaseAnswers: pingDatabase(db),
    databaseDiskIsFull: async () => (await fullDatabaseDisk(config)) !== undefined,
    databaseAcceptsWrites: services.presence.acceptsWrites,
    queueAnswers: services.notifier.answers,
    build,
    addressPolicy: config.RATE_ADDRESS,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    countRequest,
  })
  const api = { prefix, ...apiDeps({ config, log, db }, services, server) }
  const { ledgerStore: store, payments, monitors } = services
  await server.register(estimateRoutes, api)
  await server.register(knownPlaceRoutes, api)
  await server.register(jobRoutes, api)
  await server.register(monitorRoutes, api)
  await server.register(mcpRoutes, { ...api, prefix: '', version: build.version })
  await server.register(followRoutes, api)
  await server.register(jobTaskRoutes, api)
  await server.register(coverageRoutes, api)
  await server.register(costRoutes, api)
  await server.register(resultRoutes, { ...api, signer: services.secrets })
  await server.register(authRoutes, { ...api, prefix: '' })
  await server.register(accountRoutes, { ...api, usedKeys: monitors.keyIds })
  await server.register(creditRoutes, { prefix, store, checkout: payments.checkout })
  await server.register(stripeRoutes, { payments })
  await server.register(dashboardRoutes, api)
  await server.register(supportRoutes, {
    ...api,
    limit: createUserLimit(db, 'support', config.RATE_SUPPORT, 'support requests'),
  })
  const allowHosts = config.WEBHOOK_ALLOW_HOSTS
  await server.register(webhookRoutes, { ...api, allowHosts, lookup: createLookup(allowHosts) })
  await server.register(deliveryRoutes, api)
  await server.register(adminRoutes, { ...api, prefix: `${prefix}/admin` })
  await server.register(townRoutes, api)
  await server.register(consoleRoutes, { mapStyleUrl: config.MAP_STYLE_URL })
  await server.register(guideRoutes)
  return server
}

/** What the routes work with. Each takes what it needs by name. */
function apiDeps({ config, log, db }: ApiProcess, services: Services, { draining }: Server) {
  const { jobs, monitoring, demoCity } = services
  const isStopping = () => draining.on
  const creation = {
    ...monitoring, // what creates jobs, and what runs monitors
    creationLimit: createUserLimit(db, 'job_create', config.RATE_JOB_CREATE, 'new jobs'),
    allowHosts: config.EGRESS_ALLOW_HOSTS,
  }
  const { PUBLIC_URL: publicUrl, ADMIN_EMAIL: email, ADMIN_TOKEN: token } = config
  return {
    ...services,
    ...creation,
    ...createJobLookups(db, jobs),
    db,
    log,
    publicUrl,
    isStopping,
    watch: createJobWatch({ findListed: jobs.findListedOf, isStopping }),
    openWait: (user_id: string) => openWait(db, log, user_id),
    uploadLimit: createUserLimit(db, 'known_places', UPLOADS, 'uploads (at most 3 a minute)'),
    namesFor: async (account: Account, tasks: readonly TaskDocument[]) =>
      (await isOperator(db, account)) ? fleetNames(db, tasks) : undefined,
    isUnavailable: isDatabaseDown,
    findTowns: createFindTowns(),
    sellsCredits: services.payments !== paymentsNotConfigured,
    limits: { rate: config.RATE_SESSION, activeJobs: creation.concurrentJobs },
    firstOperator: token === undefined ? undefined : { email, token },
    async onLinkUsed(user_id: string) {
      const created = demoCity && createDemoJob({ db, ...creation }, user_id)
      await canFail(log, 'creating the demo job', Promise.resolve(created))
    },
    sources: { queue: services.queueState, proxyAgents: config.PROXY_AGENTS },
    agentPort: { publicUrl, grpcPort: config.GRPC_PORT },
  }
}
