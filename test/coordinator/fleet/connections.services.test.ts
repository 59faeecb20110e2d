import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createStrangers } from '@placefleet/coordinator/fleet/connections'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { claimTask } from '../../harness/agents/task-call.ts'
import { releasedTask } from '../../harness/coordinator/released-task.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)

/** Opens a connection that sends nothing, and notes whether it was closed. */
function silentConnection(port: number): { socket: Socket; isClosed(): boolean } {
  const socket = connect(port, '127.0.0.1')
  let closed = false
  socket
    .on('error', () => undefined)
    .on('close', () => {
      closed = true
    })
  onTestFinished(() => void socket.destroy())
  return { socket, isClosed: () => closed }
}

test('a host without a token holds fifty connections of the agent port, and agents connect when they are gone', async () => {
  const coordinator = await addCoordinator(world)
  const { task_id } = await releasedTask(world, coordinator)
  const port = Number(coordinator.grpc.split(':').at(-1))
  const opened = Array.from({ length: 60 }, () => silentConnection(port))

  await until('those beyond fifty are closed', () => opened.filter(({ isClosed }) => isClosed()).length >= 10)
  expect(opened.filter(({ isClosed }) => !isClosed())).toHaveLength(50)

  for (const { socket } of opened) socket.destroy()
  expect(await claimTask(coordinator.grpc, { task_id }).next()).toMatchObject({ $case: 'assignment' })
})

test('a connection stays once a call on it was accepted, and is closed otherwise', async () => {
  const strangers = createStrangers(50)
  const peers: string[] = []
  const server = createServer((socket) => {
    strangers.take(socket)
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    if (peers.push(peer) === 1) strangers.accepted(peer)
  })
  const { port } = await listenOnFreePort(server)
  const agent = silentConnection(port)
  await until('the first one is taken', () => peers.length === 1)
  const stranger = silentConnection(port)

  await once(stranger.socket, 'close')

  expect(agent.isClosed()).toBe(false)
})
