import { once } from 'node:events'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { type AgentCall, messagesOf, send } from '@placefleet/coordinator/fleet/call'
import { type Pace, pacedReading } from '@placefleet/coordinator/fleet/server'
import { FleetServiceService, RunTaskRequest, type RunTaskResponse } from '@placefleet/proto/fleet'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../harness/until.ts'

/** Serves task streams at a pace and acknowledges each message. Returns a connection to it. */
async function pacedServer(pace: Pace) {
  const server = new Server({ interceptors: [pacedReading(pace)] })
  const runTask = { ...FleetServiceService.runTask, requestDeserialize: (bytes: Buffer) => bytes }
  const acknowledgeAll = async (call: AgentCall<RunTaskResponse>) => {
    let sequence = 0n
    for await (const _ of messagesOf(call, RunTaskRequest.decode)) {
      await send(call, { message: { $case: 'acknowledgement', value: { sequence: ++sequence } } })
    }
  }
  server.addService({ runTask }, { runTask: (call: AgentCall<RunTaskResponse>) => void acknowledgeAll(call) })
  const port = await new Promise<number>((bound, failed) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) =>
      error ? failed(error) : bound(taken),
    ),
  )
  const connection = connectCoordinator(`127.0.0.1:${port}`, 'token')
  onTestFinished(() => {
    connection.close()
    server.forceShutdown()
  })
  return connection
}

const heartbeat = { message: { $case: 'heartbeat', value: {} } } as const

test('a stream of many small messages is slowed like one of large messages, and no other stream is', async () => {
  const connection = await pacedServer({ bytesPerSecond: 1, burstBytes: 10_000, leastBytes: 1_000 })
  const open = () => connection.openTaskStream().on('error', () => undefined) // the server is shut down in the end
  let acknowledged = 0
  const flood = open().on('data', () => acknowledged++)

  for (let message = 0; message < 50; message++) flood.write(heartbeat)

  await until('the burst is read', () => acknowledged > 10)
  for (let stream = 0; stream < 50; stream++) {
    const calm = open()
    calm.write(heartbeat)
    await once(calm, 'data')
  }
  expect(acknowledged).toBe(11)
})
