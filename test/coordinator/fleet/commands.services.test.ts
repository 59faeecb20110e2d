import { type AgentCommand, createRegistrations, followCommands } from '@placefleet/coordinator/fleet/commands'
import { createIdentities, type Enrolment } from '@placefleet/coordinator/fleet/identities'
import { createOpenStreams } from '@placefleet/coordinator/fleet/open-streams'
import { createLeases } from '@placefleet/coordinator/tasks/lease'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const identities = createIdentities(db)

async function enrol(name: string): Promise<Enrolment> {
  const token = await identities.enrol(name)
  const { hash } = (await identities.findByToken(token)) ?? expect.fail('not enrolled')
  return { name, hash }
}

test('an agent works until it is drained, and leaves when it is unknown, revoked, or enrolled anew under its name', async () => {
  const registrations = createRegistrations()
  const told = new Map<Enrolment, AgentCommand>()
  const register = (enrolment: Enrolment) => {
    registrations.add({ enrolment, command: (command) => void told.set(enrolment, command) })
    return enrolment
  }
  const working = register(await enrol('working'))
  const drained = register(await enrol('drained'))
  const revoked = register(await enrol('revoked'))
  const replaced = register(await enrol('replaced'))
  const unknown = register({ name: 'unknown', hash: 'none' })
  await identities.setDraining('drained', true)
  for (const name of ['revoked', 'replaced']) await identities.revoke(name)
  const successor = register(await enrol('replaced'))

  const streams = createOpenStreams()
  const leases = createLeases(db)
  const engine = { reconcile: () => expect.fail('no agent holds a task') }
  await followCommands({ identities, registrations, streams, leases, engine })

  expect([working, successor, drained].map((agent) => told.get(agent))).toEqual(['work', 'work', 'drain'])
  expect([revoked, replaced, unknown].map((agent) => told.get(agent))).toEqual(['leave', 'leave', 'leave'])
})
