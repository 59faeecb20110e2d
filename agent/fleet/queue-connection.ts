import { setTimeout as sleep } from 'node:timers/promises'
import { canFail, type Logger } from '@placefleet/shared/log'
import { natsServers } from '@placefleet/shared/nats'
import { backoffMs } from '@placefleet/shared/timing'
import { type ConnectionOptions, connect, Events, type NatsConnection, NatsError } from 'nats'
import { createOutage, type Outage } from './outage.ts'

export type QueueAddress = { url: string; ca?: string | undefined; name: string; inboxPrefix: string }

/** How long one try to connect may take. */
const CONNECT_WITHIN_MS = 5_000

/**
 * A connection to the NATS server that holds the queue. Waits for one that does not answer, and connects again to one that
 * is lost; the log says so when either lasts.
 * @throws NatsError when the server does not let the agent in.
 */
export async function connectQueue({ url, ca, ...names }: QueueAddress, log: Logger): Promise<NatsConnection> {
  const servers = natsServers(url, ca)
  const outage = createOutage({ log, what: `the NATS at ${servers.servers.join(',')}` })
  const options: ConnectionOptions = {
    ...servers,
    ...names,
    timeout: CONNECT_WITHIN_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    ignoreAuthErrorAbort: true, // whoever was let in once keeps trying
  }
  const nats = await connectAtLast(options, outage)
  void canFail(log, 'following the connection to NATS', follow(nats, outage))
  void nats.closed().then(outage.over)
  return nats
}

/** Tries until the server answers. (The client's own `waitOnFirstConnect` never says why it waits.) */
async function connectAtLast(options: ConnectionOptions, outage: Outage): Promise<NatsConnection> {
  for (let failures = 1; ; failures++) {
    outage.begun()
    try {
      const nats = await connect(options)
      outage.over()
      return nats
    } catch (error) {
      const refused = error instanceof NatsError && error.isAuthError()
      if (refused) outage.over()
      if (refused) throw error
      outage.begun(error)
      await sleep(backoffMs(failures, 250, 1_000))
    }
  }
}

async function follow(nats: NatsConnection, outage: Outage): Promise<void> {
  for await (const { type } of nats.status()) {
    if (type === Events.Disconnect) outage.begun()
    if (type === Events.Reconnect) outage.over()
  }
}
