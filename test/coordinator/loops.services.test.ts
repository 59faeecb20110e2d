import { readConfig } from '@placefleet/coordinator/config'
import { startLoops } from '@placefleet/coordinator/loops'
import { createCounters } from '@placefleet/coordinator/process/counters'
import { createServices } from '@placefleet/coordinator/services'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { FAST } from '../harness/coordinator/fast.ts'
import { coordinatorEnv, startWorld } from '../harness/coordinator/world.ts'

test('the slots of the fleet are counted again while a sweep takes long', async () => {
  const world = await startWorld()
  const { db, log } = world
  const nats = await connect(natsServers(world.natsUrl))
  onTestFinished(() => nats.close())
  const config = readConfig(coordinatorEnv(world))
  const counters = createCounters()
  const services = await createServices({ config, log, db, nats, counters, timings: FAST })
  const [sweeping, sweptAtLast, counted] = [0, 0, 0].map(() => Promise.withResolvers<undefined>())
  let counts = 0
  const slow = {
    ...services,
    jobs: {
      ...services.jobs,
      takeDue() {
        sweeping?.resolve(undefined)
        return sweptAtLast?.promise ?? expect.fail()
      },
    },
    fleetSize: {
      ...services.fleetSize,
      async refresh() {
        counts += 1
        if (counts === 2) counted?.resolve(undefined)
      },
    },
  }
  const life = createLifecycle(log)
  startLoops({ config, log, life, db, nats, counters }, slow)
  onTestFinished(() => life.close())
  onTestFinished(() => sweptAtLast?.resolve(undefined)) // before the loops are stopped

  await sweeping?.promise
  await counted?.promise
})
