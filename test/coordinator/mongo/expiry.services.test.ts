import { indexes } from '@placefleet/coordinator/indexes'
import { removeExpired } from '@placefleet/coordinator/mongo/expiry'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import type { Document } from 'mongodb'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase('new')

const expiring = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)

test('checkouts, deliveries, limits, events of Stripe, sign-ins, sessions, agents, exits, checks and coordinators expire', () => {
  expect(expiring.map(({ collection }) => collection).toSorted()).toEqual([
    'agent_work',
    'agents',
    'checkouts',
    'coordinators',
    'exits',
    'limits',
    'path_checks',
    'sessions',
    'sign_ins',
    'stripe_events',
    'webhook_deliveries',
  ])
})

test.for(expiring)('what is over in $collection is removed on the embedded engine', async (index) => {
  const documents = db.collection<Document & { _id: string }>(index.collection)
  const [field = ''] = Object.keys(index.key)
  await ensureIndexes(db, [index])
  const expired = Date.now() - 1_000 * (index.expireAfterSeconds ?? 0)
  await documents.insertMany([
    { _id: 'over', [field]: new Date(expired - 60_000) },
    { _id: 'not yet', [field]: new Date(expired + 60_000) },
    { _id: 'without a time' },
  ])

  await removeExpired(db, indexes)

  expect(await documents.distinct('_id')).toEqual(['not yet', 'without a time'])
})
