// Deliveries to a healthy host, one after the other, while the deliveries to a dead host are due.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startDispatch } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { z } from 'zod'
import {
  deliveryWorld,
  endedJob,
  readDelivery,
  recordOne,
  registerWebhook,
} from '../../harness/coordinator/deliveries.ts'
import { createAuthority } from '../../harness/network/certificates.ts'
import { RECEIVER_NAMES, startReceiver } from '../../harness/network/receiver.ts'
import { databaseUrl } from '../../harness/servers/database-url.ts'
import { until } from '../../harness/until.ts'
import { contend } from '../contender.ts'

/** `dead`: what the dead host does, `none` when it has no deliveries. */
const Spec = z.object({
  mongoUrl: z.string(),
  dead: z.enum(['none', 'silent', 'refusing']),
  backlog: z.int(),
  deliveries: z.int(),
})

await contend(Spec, async ({ mongoUrl, dead, backlog, deliveries }) => {
  const { db, close } = await connectMongo(databaseUrl(mongoUrl, `bench_${dead}`))
  await db.dropDatabase()
  const { secrets, parts } = await deliveryWorld(db)
  const authority = await createAuthority()
  const arrived = new Map<unknown, number>()
  const healthy = await startReceiver(await authority.issue(RECEIVER_NAMES), (response, { headers }) => {
    response.writeHead(204).end()
    arrived.set(headers['x-webhook-id'], performance.now())
  })
  const deadHost = await startDead(dead)
  const { user_id } = await registerWebhook(db, secrets, healthy.url)
  if (dead !== 'none') {
    const slow = await registerWebhook(db, secrets, `https://${deadHost.host}/hook`)
    const first = await readDelivery(db, await recordOne(db, slow.user_id))
    const others = Array.from({ length: backlog - 1 }, () => {
      return { ...first, _id: crypto.randomUUID(), job_id: crypto.randomUUID() }
    })
    await deliveriesOf(db).insertMany(others, { ordered: false })
  }

  const work = async () => {
    const egress = { ...parts().egress, allow: parseAllowHosts(`${healthy.host},${deadHost.host}`) }
    const dispatch = startDispatch(parts({ egress, ca: authority.ca }))
    const millis: number[] = []
    while (millis.length < deliveries) {
      const job = endedJob(user_id, { ended_at: new Date() })
      const begun = performance.now()
      await recordDeliveries(db, job)
      dispatch.wake()
      const { _id } = await until('the delivery is stored', () => deliveriesOf(db).findOne({ job_id: job.job_id }))
      millis.push((await until('it arrives', () => arrived.get(_id))) - begun)
    }
    const attempts = await deliveriesOf(db).countDocuments({ user_id: { $ne: user_id }, attempt_count: { $gt: 0 } })
    deadHost.close()
    await dispatch.stop()
    return { millis, attempts }
  }
  return {
    work,
    async close() {
      await healthy.close()
      await close()
    },
  }
})

/** Starts a server that accepts connections and says nothing, or leaves a port on which nothing listens. */
async function startDead(kind: 'none' | 'silent' | 'refusing') {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  const address = server.address()
  const host = `127.0.0.2:${address !== null && typeof address === 'object' ? address.port : 0}`
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  if (kind !== 'silent') close()
  return { host, close }
}
