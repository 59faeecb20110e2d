import { setTimeout as sleep } from 'node:timers/promises'
import { natsServers, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { procText, runningProcesses } from '../../harness/running-processes.ts'
import type { Exit } from '../fleet/child.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { quiet } from './settle.ts'
import type { Expect } from './violation.ts'

const EMPTY_WITHIN_MS = 30_000
const EXIT_WITHIN_MS = { coordinator: 25_000, agent: 12_000 }

/** A process says that it has started. Before, it may end: what it needs may be down. */
const STARTED = / started"}$/m

/** How long a process without a log of its own may take to start. */
const START_MS = 60_000

/** Checks that the queue is empty: no message waits, none is out unanswered. */
export async function checkQueue({ nats }: Fleet, expect: Expect): Promise<void> {
  const connection = await connect(natsServers(nats.url))
  const manager = await connection.jetstreamManager()
  const left = async () => ({
    'messages in the queue': (await manager.streams.info(TASK_STREAM)).state.messages,
    'messages in the queue that are out': (await manager.consumers.info(TASK_STREAM, TASK_CONSUMER)).num_ack_pending,
  })
  await quiet(left, EMPTY_WITHIN_MS, expect).finally(() => connection.close())
}

/** Ends the fleet's processes and checks that they go in time and by themselves, and that none crashed before. */
export async function checkProcesses(fleet: Fleet, expect: Expect): Promise<void> {
  const check = 'no process died by itself or is left over'
  const ends = [
    ...fleet.agents.map(({ child }) => ({ child, within: EXIT_WITHIN_MS.agent })),
    ...fleet.coordinators.map(({ child }) => ({ child, within: EXIT_WITHIN_MS.coordinator })),
  ]
  for (const { child, within } of ends) {
    for (const { at, code, signal } of child.exits.filter((exit) => !exit.asked && hadStarted(exit))) {
      expect(check, false, `${child.name} ended by itself: ${code ?? signal} at ${new Date(at).toISOString()}`)
    }
    const exit = await child.end(within)
    const how = `was asked to stop and ended with ${exit?.code ?? exit?.signal}; its log ends with\n${child.logTail()}`
    expect(check, exit?.code === 0, `${child.name} ${how}`)
  }
  await fleet.life.close()
  await sleep(500)
  const mark = `PLACEFLEET_CHAOS=${fleet.dir}`
  for (const { pid } of runningProcesses()) {
    const isOurs = pid !== process.pid && procText(pid, 'environ').includes(mark)
    expect(check, !isOurs, `process ${pid} is left over: ${procText(pid, 'cmdline')}`)
  }
}

const hadStarted = ({ log, lived_ms }: Exit): boolean => (log === '' ? lived_ms > START_MS : STARTED.test(log))
