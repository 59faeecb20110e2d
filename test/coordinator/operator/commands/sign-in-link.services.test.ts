import { expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../../../harness/coordinator/world.ts'
import { runOpsHere } from './run-ops.ts'

test('a sign-in link opens a coordinator that runs, at its PUBLIC_URL when one has it', async () => {
  const world = await startWorld()
  const opened = async () => {
    const user = ['users', 'sign-in-link', '--email', 'owner@example.com', '--json']
    const { out } = await runOpsHere(user, { MONGODB_URL: world.mongoUrl })
    return new URL(JSON.parse(out).url).origin
  }
  const first = await addCoordinator(world)
  const second = await addCoordinator(world)
  expect(await opened()).toBe(second.url)
  await second.close()
  expect(await opened()).toBe(first.url)

  const third = await addCoordinator(world, { PUBLIC_URL: 'https://fleet.example' })
  await addCoordinator(world)
  expect(await opened()).toBe('https://fleet.example')

  await third.close()
  expect(await opened()).not.toBe('https://fleet.example')
})
