import { createLookup } from '@placefleet/shared/egress/lookup'
import { createAuthenticator } from './accounts/authentication.ts'
import { createUserLimit } from './accounts/limits.ts'
import { accountRoutes } from './accounts/routes.ts'
import { FOR_CLIENTS } from './auth/oauth/metadata.ts'
import { authRoutes } from './auth/routes.ts'
import { creditRoutes } from './billing/ledger/routes.ts'
import { costRoutes } from './billing/prices/cost-routes.ts'
import { mostListed } from './billing/prices/estimate.ts'
import { estimateRoutes } from './billing/prices/estimate-routes.ts'
import type { EstimateRequest } from './billing/prices/estimate-schema.ts'
import { paymentsNotConfigured } from './billing/purchases/payments.ts'
import { stripeRoutes } from './billing/purchases/stripe/routes.ts'
import { consoleRoutes } from './console/server/routes.ts'
import type { Context } from './context.ts'
import { coverageRoutes } from './coverage/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { guideRoutes } from './guides/routes.ts'
import type { CountRequest } from './http/request-log.ts'
import { createServer } from './http/server.ts'
import type { Server } from './http/typed-server.ts'
import type { BuildInfo } from './http/version.ts'
import { createJobWatch } from './jobs/following/job-watch.ts'
import { createOpenStreams, createOpenWaits } from './jobs/following/open-streams.ts'
import { followRoutes } from './jobs/following/routes.ts'
import { jobInputRoutes } from './jobs/inputs/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { jobTaskRoutes } from './jobs/tasks/routes.ts'
import { findListedOfAnyUser } from './jobs/user-jobs.ts'
import { knownPlaceRoutes, UPLOADS } from './known-places/routes.ts'
import { MCP, mcpRoutes } from './mcp/routes.ts'
import { pingDatabase } from './mongo/connect.ts'
import { fullDatabaseDisk, isDatabaseDown } from './mongo/failures.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { adminRoutes } from './operator/routes.ts'
import { fleetNamesFor } from './operator/tasks.ts'
import { resultRoutes } from './results/routes.ts'
import type { Services } from './services.ts'
import { supportRoutes } from './support/routes.ts'
import { queueState } from './tasks/queue-state.ts'
import { townRoutes } from './towns/routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const prefix = '/api/v1'

/** Creates the server of the public API with all routes. It does not listen yet. */
export async function createApi(
  context: Context,
  services: Services,
  { build, countRequest }: { build: BuildInfo; countRequest?: CountRequest | undefined },
): Promise<Server> {
  const { config, log, db, nats } = context
  const { billing, fleet, jobs, known, monitors, oidc, secrets, tasks, webhooks } = services
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
    queueAnswers: tasks.notifier.answers,
    build,
    addressPolicy: config.RATE_ADDRESS,
    publicUrl: config.PUBLIC_URL,
    openToPages: [MCP, ...FOR_CLIENTS],
    trustedProxies: config.TRUSTED_PROXIES,
    countRequest,
  })
  const { PUBLIC_URL: publicUrl, WEBHOOK_ALLOW_HOSTS: webhookHosts, ADMIN_EMAIL: email, ADMIN_TOKEN: token } = config
  const isStopping = () => server.draining.on
  const following = {
    isStopping,
    watch: createJobWatch({ findListed: (job_ids) => findListedOfAnyUser(db, job_ids), isStopping }),
    openWait: createOpenWaits(db, log),
    openStream: createOpenStreams(db, log),
  }
  const countKnown = (user_id: string, search: Omit<EstimateRequest, 'near'>) =>
    known.countOf(user_id, search, search.recheck_after, mostListed(search))
  const { towns } = jobs
  const estimating = { ...billing, countKnown, fleetExits: fleet.fleetExits, townNear: jobs.jobCreation.townNear }
  const jobApi = { ...jobs.jobCreation, ...following }
  const described = { version: build.version, isUnavailable: isDatabaseDown }
  const covered = { ...jobs.lookups, db }
  const mcp = { ...covered, ...jobApi, ...estimating, ...towns, ...monitors, ...described }

  await server.register(estimateRoutes, { prefix, ...estimating })
  await server.register(knownPlaceRoutes, {
    prefix,
    known,
    uploadLimit: createUserLimit(db, 'known_places', UPLOADS, 'uploads (at most 3 a minute)'),
  })
  await server.register(jobRoutes, { prefix, ...jobApi })
  await server.register(monitorRoutes, { prefix, ...monitors })
  await server.register(mcpRoutes, { ...mcp, publicUrl })
  await server.register(followRoutes, { prefix, ...following, ...jobs.lookups })
  await server.register(jobTaskRoutes, { prefix, db, ...jobs.lookups, namesFor: fleetNamesFor(db) })
  await server.register(jobInputRoutes, { prefix, db, ...jobs.lookups })
  await server.register(coverageRoutes, { prefix, ...covered })
  await server.register(costRoutes, { prefix, ...jobs.lookups })
  await server.register(resultRoutes, { prefix, db, publicUrl, signer: secrets, ...jobs.lookups })
  await server.register(authRoutes, {
    db,
    publicUrl,
    oidc,
    secrets,
    onLinkUsed: jobs.createDemo,
    sellsCredits: billing.payments !== paymentsNotConfigured,
    limits: {
      rate: config.RATE_SESSION,
      keyRate: { free: config.RATE_FREE, paid: config.RATE_PAID },
      activeJobs: jobs.jobCreation.concurrentJobs,
    },
    firstOperator: token === undefined ? undefined : { email, token },
  })
  await server.register(accountRoutes, { prefix, db, usedKeys: monitors.monitors.keyIds })
  await server.register(creditRoutes, { prefix, store: billing.ledgerStore, checkout: billing.payments.checkout })
  await server.register(stripeRoutes, { payments: billing.payments })
  await server.register(dashboardRoutes, { prefix, ...jobs.lookups })
  await server.register(supportRoutes, {
    prefix,
    db,
    limit: createUserLimit(db, 'support', config.RATE_SUPPORT, 'support requests'),
  })
  await server.register(webhookRoutes, {
    prefix,
    db,
    secrets,
    allowHosts: webhookHosts,
    lookup: createLookup(webhookHosts),
  })
  await server.register(deliveryRoutes, { prefix, db, secrets, ...webhooks, ...jobs.lookups })
  await server.register(adminRoutes, {
    prefix: `${prefix}/admin`,
    db,
    ledger: billing.ledger,
    engine: jobs.engine,
    proxyPool: services.exits.proxyPool,
    sources: { queue: () => queueState(nats), proxyAgents: config.PROXY_AGENTS },
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    agentPort: { publicUrl, grpcPort: config.GRPC_PORT },
  })
  await server.register(townRoutes, { prefix, ...towns })
  await server.register(consoleRoutes, { mapStyleUrl: config.MAP_STYLE_URL })
  await server.register(guideRoutes)
  return server
}
