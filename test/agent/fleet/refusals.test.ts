import { Server, ServerCredentials } from '@grpc/grpc-js'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { startWorker } from '@placefleet/agent/fleet/worker'
import { TIMINGS } from '@placefleet/agent/timings'
import { type FleetServiceServer, FleetServiceService } from '@placefleet/proto/fleet'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'

/** Starts a coordinator that refuses every claim. Returns its address. */
async function refusing(reason: string): Promise<string> {
  const server = new Server()
  const service: FleetServiceServer = {
    register: (call) => call.end(),
    takeTurns: (call) => call.end(),
    runTask: (call) => {
      call.write({ message: { $case: 'refusal', value: { reason } } })
      call.end()
    },
  }
  server.addService(FleetServiceService, service)
  onTestFinished(() => server.forceShutdown())
  const bound = Promise.withResolvers<number>()
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error ? bound.reject(error) : bound.resolve(port),
  )
  return `127.0.0.1:${await bound.promise}`
}

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
    const coordinator = connectCoordinator(await refusing(reason), 'token')
    const draining = new AbortController()
    const told = Promise.withResolvers<string>()
    const task = {
      task_id: crypto.randomUUID(),
      answered: () => told.resolve('answered'),
      declined: () => told.resolve('declined'),
    }
    const offered: (typeof task)[] = [task]
    const log = createLogger('test', 'silent')
    const runner = {
      log,
      coordinator,
      collector: scriptedCollector({ find: () => [] }),
      agent_id: 'agent',
      timings: TIMINGS,
    }
    const worker = startWorker({ ...runner, draining: draining.signal }, { next: async () => offered.pop() }, 1)
    onTestFinished(async () => {
      draining.abort()
      await worker.done
      coordinator.close()
    })

    expect(await told.promise).toBe(how)
  },
)
