import { createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { readConfig } from '@placefleet/coordinator/config'
import { createJob } from '@placefleet/coordinator/jobs/create'
import { CreateJobRequest } from '@placefleet/shared/job'
import { natsServers } from '@placefleet/shared/nats'
import { type Document, MongoClient } from 'mongodb'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { createParts } from '../../harness/coordinator/parts.ts'
import { coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'

test('a creation reads the account once and costs seven commands', async () => {
  const world = await startWorld()
  const client = await new MongoClient(world.mongoUrl, { monitorCommands: true, ignoreUndefined: true }).connect()
  const nats = await connect(natsServers(world.natsUrl))
  onTestFinished(() => Promise.all([client.close(), nats.close()]).then(() => undefined))
  const db = client.db(world.db.databaseName, { writeConcern: { w: 1, journal: true } })
  const parts = await createParts({ config: readConfig(coordinatorEnv(world)), log: world.log, db, nats })
  const { _id: user_id } = await createUser(db, { email: `${crypto.randomUUID()}@example.com` })
  const reference = { reference_type: 'grant', reference_id: 'test' }
  await grant(parts.ledger, { user_id, amount: 1_000_000, type: 'bonus', reference, description: 'test' })
  const request = CreateJobRequest.parse({ name: 'j', keywords: ['one', 'two'], language: 'en' })
  const sent: string[] = []
  client.on('commandStarted', ({ command }: { command: Document }) => {
    sent.push(`${Object.keys(command)[0]} ${Object.values(command)[0]}`)
  })

  const engine = { ...parts.engine, reconcile: async () => undefined }
  const creation = { user_id, source: 'api' as const, paid: false, concurrent_jobs: 3, request }
  await createJob({ ...parts, engine }, creation)

  expect(sent).toEqual([
    'findAndModify limits',
    'find price_rules',
    'find ledger',
    'distinct jobs',
    'update jobs',
    'insert ledger',
    'bulkWrite 1',
  ])
})
