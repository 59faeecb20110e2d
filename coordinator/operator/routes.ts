import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { FastifyRequest } from 'fastify'
import { isOperator } from '../accounts/roles.ts'
import { accountOf } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import type { Server } from '../http/typed-server.ts'
import { consoleUrl } from '../process/presence.ts'
import { activityOperations } from './operations/activity.ts'
import { agentOperations } from './operations/agents.ts'
import { creditOperations } from './operations/credits.ts'
import { exitOperations } from './operations/exits.ts'
import { jobOperations } from './operations/jobs.ts'
import { priceOperations } from './operations/prices.ts'
import { stateOperations } from './operations/state.ts'
import { supportOperations } from './operations/support.ts'
import { taskOperations } from './operations/tasks.ts'
import { unknownAnswerOperations } from './operations/unknown-answers.ts'
import { userOperations } from './operations/users.ts'
import type { ApiContext } from './operator-context.ts'

const OPERATIONS = [
  userOperations,
  creditOperations,
  priceOperations,
  jobOperations,
  taskOperations,
  activityOperations,
  agentOperations,
  exitOperations,
  stateOperations,
  unknownAnswerOperations,
  supportOperations,
].flat()

type AdminRoutesOptions = Pick<ApiContext, 'db' | 'ledger' | 'engine'> & {
  sources: Omit<ApiContext['sources'], 'database'>
  proxyPool: ReturnType<ApiContext['proxyPool']>
  allowHosts: AllowHosts
  /** The host of the coordinators, unless a request names it, and their port for agents. */
  agentPort: { publicUrl: string | undefined; grpcPort: number }
}

/** Registers the operator API. Callers who are not operators get 403, before their request is validated. */
export async function adminRoutes(app: Server, options: AdminRoutesOptions): Promise<void> {
  const { db, ledger, engine, sources, proxyPool, allowHosts, agentPort } = options
  app.addHook('onRequest', async (request) => {
    if (await isOperator(db, accountOf(request))) return
    const message = 'Only operators may call this. An API key with a spending limit is not enough.'
    throw new AppError('forbidden', `${message} An operator can give you the role: ops users set-role.`)
  })
  const context = {
    db,
    ledger,
    engine,
    sources: { ...sources, database: async () => db },
    proxyPool: () => proxyPool,
    allowHosts: () => allowHosts,
    async consoleUrl() {
      const url = await consoleUrl(db)
      if (url === undefined) throw new AppError('unavailable', 'The coordinator is still starting. Try again soon.')
      return url
    },
  }
  const contextFor = ({ hostname }: FastifyRequest): ApiContext => {
    const { publicUrl, grpcPort } = agentPort
    const host = publicUrl === undefined ? hostname : new URL(publicUrl).hostname
    return { ...context, coordinator: `${host}:${grpcPort}` }
  }
  for (const { route } of OPERATIONS) route?.(app, contextFor)
}
