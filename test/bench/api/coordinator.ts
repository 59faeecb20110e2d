// A real coordinator. Environment variables name its database and queue.
import { once } from 'node:events'
import { startCoordinator } from '@placefleet/coordinator/app'
import { readConfig } from '@placefleet/coordinator/config'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'

const log = createLogger('coordinator', process.env.LOG_LEVEL ?? 'error')
const life = createLifecycle(log)
const dismissed = once(process, 'disconnect')
const { url } = await startCoordinator(readConfig(process.env), log, life)
process.send?.(url)
await dismissed
await life.close()
