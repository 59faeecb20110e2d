import { once } from 'node:events'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { startWorker } from '@placefleet/agent/fleet/worker'
import { TIMINGS } from '@placefleet/agent/timings'
import { type FleetServiceServer, FleetServiceService } from '@placefleet/proto/fleet'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { freePort } from '../../harness/network/free-port.ts'

/** Starts a coordinator that ends every call, but for those that are given. Returns its address. */
async function fakeCoordinator(calls: Partial<FleetServiceServer>): Promise<string> {
  const server = new Server()
  server.addService(FleetServiceService, {
    register: (call) => call.end(),
    takeTurns: (call) => call.end(),
    runTask: (call) => call.end(),
    ...calls,
  } satisfies FleetServiceServer)
  onTestFinished(() => server.forceShutdown())
  const bound = Promise.withResolvers<number>()
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error ? bound.reject(error) : bound.resolve(port),
  )
  return `127.0.0.1:${await bound.promise}`
}

/** Starts a coordinator that answers registrations with its version. */
const coordinator = (coordinator_version: string) =>
  fakeCoordinator({
    register: (call) => void call.write({ coordinator_version, protocol: 2, drain: false, check_id: '' }),
  })

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

test.each([
  ['done', 'answered'],
  ['busy', 'answered'],
  ['stale', 'answered'],
  ['unknown', 'answered'],
  ['draining', 'declined'],
  ['full', 'declined'],
  ['resting', 'declined'],
])(
  'the message of a task whose claim is refused with %s is %s: only what others may claim goes back',
  async (reason, how) => {
    const address = await fakeCoordinator({
      runTask(call) {
        call.write({ message: { $case: 'refusal', value: { reason } } })
        call.end()
      },
    })
    const draining = new AbortController()
    const told = Promise.withResolvers<string>()
    const offered = [
      {
        task_id: crypto.randomUUID(),
        answered: () => told.resolve('answered'),
        declined: () => told.resolve('declined'),
      },
    ]
    const runner = {
      log: createLogger('test', 'silent'),
      coordinator: connected([address], 0),
      collector: scriptedCollector({ find: () => [] }),
      agent_id: 'agent',
      timings: TIMINGS,
      draining: draining.signal,
    }
    const worker = startWorker(runner, { next: async () => offered.pop() }, 1)
    onTestFinished(async () => {
      draining.abort()
      await worker.done
    })
    expect(await told.promise).toBe(how)
  },
)
