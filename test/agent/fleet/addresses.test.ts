import { once } from 'node:events'
import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { FleetServiceService } from '@placefleet/proto/fleet'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../harness/network/free-port.ts'

/** Starts a coordinator that answers registrations with its version, and nothing else. */
async function coordinator(version: string): Promise<string> {
  const server = new Server()
  const answer: UntypedHandleCall = (call: { write(message: object): void }) =>
    call.write({ coordinator_version: version, protocol: 2, drain: false })
  server.addService({ Register: FleetServiceService.register }, { Register: answer })
  const port = await new Promise<number>((bound, failed) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) =>
      error ? failed(error) : bound(taken),
    ),
  )
  onTestFinished(() => server.forceShutdown())
  return `127.0.0.1:${port}`
}

function connected(addresses: readonly string[], random: number) {
  const connection = connectCoordinator(addresses.join(','), 'token', undefined, { random: () => random })
  onTestFinished(() => connection.close())
  return connection
}

/** Returns which coordinator answers a registration. */
async function answerOf(connection: ReturnType<typeof connectCoordinator>): Promise<string> {
  const [{ coordinator_version }] = await once(connection.register(), 'data')
  return coordinator_version
}

test('agents begin at any of several coordinators', async () => {
  const addresses = [await coordinator('first'), await coordinator('second')]
  expect(await answerOf(connected(addresses, 0))).toBe('first')
  expect(await answerOf(connected(addresses, 0.99))).toBe('second')
})

test('an agent tries the next address when one does not answer, and after the last the first', async () => {
  const addresses = [await coordinator('first'), `127.0.0.1:${await freePort()}`]
  const connection = connected(addresses, 0.99)
  await expect(answerOf(connection)).rejects.toThrow('ECONNREFUSED')
  expect(await answerOf(connection)).toBe('first')
})
