import { setTimeout as sleep } from 'node:timers/promises'
import { natsServers, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { runningProcesses } from '../../harness/running-processes.ts'
import type { Child, Exit } from '../fleet/child.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { createFindings, type Violation } from './violation.ts'

const EMPTY_WITHIN_MS = 30_000
const EXIT_WITHIN_MS = { coordinator: 25_000, agent: 12_000 }

/** A process says that it has started. Before, it may end: what it needs may be down. */
const STARTED = / started"}$/m

/** How long a process without a log of its own may take to start. */
const START_MS = 60_000

/** Checks that the queue is empty: no message waits, none is out unanswered. */
export async function checkQueue({ nats }: Fleet): Promise<Violation[]> {
  const { violations, expect } = createFindings('nothing left over')
  const connection = await connect(natsServers(nats.url))
  try {
    const manager = await connection.jetstreamManager()
    const left = async () => {
      const { state } = await manager.streams.info(TASK_STREAM)
      const { num_ack_pending } = await manager.consumers.info(TASK_STREAM, TASK_CONSUMER)
      return { messages: state.messages, unanswered: num_ack_pending }
    }
    const deadline = performance.now() + EMPTY_WITHIN_MS
    let found = await left()
    while (performance.now() < deadline && found.messages + found.unanswered > 0) {
      await sleep(500)
      found = await left()
    }
    expect(found.messages === 0, `${found.messages} messages in the queue`)
    expect(found.unanswered === 0, `${found.unanswered} messages in the queue are out`)
  } finally {
    await connection.close()
  }
  return violations
}

/** Ends the fleet's processes and checks that they go in time and by themselves, and that none crashed before. */
export async function checkProcesses(fleet: Fleet): Promise<Violation[]> {
  const { violations, expect } = createFindings('no process died by itself or is left over')
  const ends = [
    ...fleet.agents.map(({ child }) => ({ child, within: EXIT_WITHIN_MS.agent })),
    ...fleet.coordinators.map(({ child }) => ({ child, within: EXIT_WITHIN_MS.coordinator })),
  ]
  for (const { child, within } of ends) {
    for (const crash of crashes(child)) expect(false, `${child.name} ended by itself: ${crash}`)
    const exit = await child.end(within)
    expect(
      exit?.code === 0,
      `${child.name} was asked to stop and ended with ${exit?.code ?? exit?.signal}; its log ends with\n${child.logTail(4)}`,
    )
  }
  await fleet.life.close()
  await sleep(500)
  for (const { pid, command } of marked(fleet.mark)) expect(false, `process ${pid} is left over: ${command}`)
  return violations
}

const hadStarted = ({ log, lived_ms }: Exit): boolean => (log === '' ? lived_ms > START_MS : STARTED.test(log))

const crashes = ({ exits }: Child): string[] =>
  exits
    .filter((exit) => !exit.asked && hadStarted(exit))
    .map(({ at, code, signal }) => `${code ?? signal} at ${new Date(at).toISOString()}`)

/** Returns the processes of this machine with a mark in their environment, but for this one. */
function marked(mark: string): { pid: number; command: string }[] {
  return runningProcesses().filter(({ pid, environment }) => pid !== process.pid && environment.includes(mark))
}
