// The deliveries of a coordinator: claimed, counted, signed, sent and recorded in MongoDB.
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startDispatch } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { deliveryWorld, endedJob, registerWebhook } from '../../harness/coordinator/deliveries.ts'
import { databaseUrl } from '../../harness/servers/database-url.ts'
import { until } from '../../harness/until.ts'
import { contend } from '../contender.ts'
import { PER_RECEIVER, Work } from './work.ts'

const AT_MOST_MS = 600_000

await contend(Work, async ({ deliveries, hosts, ca, mongoUrl }) => {
  const { db, close } = await connectMongo(databaseUrl(mongoUrl, 'bench'))
  await db.dropDatabase()
  const { secrets, parts } = await deliveryWorld(db)
  const users = await Promise.all(hosts.map((host) => registerWebhook(db, secrets, `https://${host}/hook`)))
  for (let made = 0; made < deliveries; made++) {
    await recordDeliveries(db, endedJob(users[made % users.length]?.user_id ?? ''))
  }
  const work = async () => {
    const egress = { ...parts().egress, allow: parseAllowHosts(hosts.join(',')) }
    const concurrency = { total: PER_RECEIVER * hosts.length, perHost: PER_RECEIVER }
    const dispatch = startDispatch(parts({ egress, ca, concurrency }))
    const done = async () => (await deliveriesOf(db).countDocuments({ status: 'delivered' })) === deliveries
    await until('everything is delivered', done, AT_MOST_MS)
    await dispatch.stop()
  }
  return { work, close }
})
