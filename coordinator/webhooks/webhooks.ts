import type { Lifecycle, Loop } from '@placefleet/shared/lifecycle'
import type { Context } from '../context.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import {
  createDeliveryDeps,
  createDeliveryNotifier,
  followDeliveryNotifications,
  startDispatch,
} from './deliveries/dispatch.ts'
import { type EndedJob, type PausedMonitor, recordDeliveries, recordPause } from './deliveries/record.ts'

export type Webhooks = ReturnType<typeof createWebhooks>

/** Creates the room of webhooks. Other rooms report here what webhooks hear of. Each report is safe to repeat. */
export function createWebhooks({ log, db, nats }: Context) {
  const notifyDeliveries = createDeliveryNotifier(nats, log)
  return {
    notifyDeliveries,
    async recordDeliveries(job: EndedJob): Promise<void> {
      if ((await recordDeliveries(db, job)) > 0) notifyDeliveries()
    },
    async recordPause(monitor: PausedMonitor): Promise<void> {
      if ((await recordPause(db, monitor)) > 0) notifyDeliveries()
    },
  }
}

/** Starts the deliveries to webhooks. The lifecycle owns them. */
export function startDeliveries(
  { config, log, db, nats, counters, timings }: Context,
  life: Lifecycle,
  secrets: SecretBox,
): Loop {
  const hourly = { account: config.WEBHOOK_HOURLY_ACCOUNT, address: config.WEBHOOK_HOURLY_ADDRESS }
  const settings = { allowHosts: config.WEBHOOK_ALLOW_HOSTS, hourly, timings }
  const deps = createDeliveryDeps({ log, db, secrets, attemptEnded: counters.attemptEnded, ...settings })
  const dispatch = life.own('webhook deliveries', startDispatch(deps), (running) => running.stop())
  life.own('delivery notifications', followDeliveryNotifications(nats, log, dispatch.wake), (following) =>
    following.close(),
  )
  return dispatch
}
