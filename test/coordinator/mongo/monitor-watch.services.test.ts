import { once } from 'node:events'
import { createSilence, watchMonitor } from '@placefleet/coordinator/mongo/monitor-watch'
import { MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'

/** Returns a client that is connected, and closed after the test. */
async function connected(): Promise<MongoClient> {
  const client = await new MongoClient(inject('mongoUrl')).connect()
  onTestFinished(() => client.close())
  return client
}

test('a client with a stuck monitor is reconnected, and its handles still work', async () => {
  const client = await connected()
  const places = client.db('test').collection('watched')
  const watch = watchMonitor(client, undefined, 1) // the monitor of an idle client speaks every ten seconds only

  await once(client, 'topologyOpening')
  watch.stop()
  await once(client, 'serverHeartbeatSucceeded')

  expect(await places.countDocuments()).toBe(0)
})

test('the signs of life of one server do not hide the stuck monitor of another', () => {
  const silence = createSilence(2)
  silence.heard('one:27017')
  silence.heard('other:27017')

  const stuck = [1, 2, 3].map(() => {
    silence.heard('one:27017')
    return silence.isStuckNow()
  })

  expect(stuck).toEqual([false, false, true])
  silence.left('other:27017')
  expect(silence.isStuckNow()).toBe(false)
})
