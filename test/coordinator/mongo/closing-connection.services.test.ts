import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../../harness/servers/database.ts'

const { url } = await testDatabase()
const Opened = z.object({ socket: z.instanceof(Socket) })

/** Returns the sockets that this process opens during the test. */
function openedSockets(): Socket[] {
  const sockets: Socket[] = []
  const note = (message: unknown) => void sockets.push(Opened.parse(message).socket)
  subscribe('net.client.socket', note)
  onTestFinished(() => void unsubscribe('net.client.socket', note))
  return sockets
}

test('a write whose connection breaks at its start fails, and the next one is done', async () => {
  const sockets = openedSockets()
  const mongo = await connectMongo(`${url}&monitorCommands=true&retryWrites=false`)
  onTestFinished(mongo.close)
  const things = mongo.db.collection('things')
  await things.insertOne({ count: 0 })

  mongo.client.once('commandStarted', () => {
    for (const socket of sockets) socket.destroy()
  })

  await expect(things.updateOne({}, { $inc: { count: 1 } })).rejects.toThrow('closed')
  await things.updateOne({}, { $inc: { count: 1 } })
  expect(await things.findOne({}, { projection: { _id: 0 } })).toEqual({ count: 1 })
})
