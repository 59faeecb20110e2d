import { once } from 'node:events'
import { status as Status } from '@grpc/grpc-js'
import type { RegisterRequest, RegisterResponse } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import { isCompatible, PROTOCOL, REGISTER_MS } from '@placefleet/shared/protocol'
import { backoffMs, delay } from '@placefleet/shared/timing'
import type { Coordinator } from './coordinator.ts'
import { createOutage, type Outage } from './outage.ts'

export type RegistrationParts = {
  coordinator: Coordinator
  log: Logger
  /** How the agent is now. */
  describe(): RegisterRequest
  /** Told whether the agent is to take tasks: an operator may drain it, a coordinator not let it in or not answer. */
  onTakeTasks(takeTasks: boolean): void
}

/** How a registration ended: after it had been answered, refused by a coordinator, or never answered. */
type Ended = 'broken' | 'refused' | 'unanswered'

/** Before the next try: nobody who is refused need be in a hurry, and who was let in moves on at once. */
const LONGEST_WAIT_MS: Record<Ended, number> = { broken: 500, unanswered: 2_000, refused: 5_000 }

/**
 * Keeps the agent registered until the signal ends it, through any number of broken streams. Without an answer for some
 * seconds it takes no tasks, which it would only keep from others.
 */
export async function keepRegistered(parts: RegistrationParts, signal: AbortSignal): Promise<void> {
  const { coordinator, log, onTakeTasks } = parts
  const what = `the coordinator at ${coordinator.address}`
  const outage = createOutage({ log, what, onLasting: () => onTakeTasks(false) })
  for (let failures = 1; !signal.aborted; failures++) {
    outage.begun()
    const ended = await registerOnce(parts, outage, signal)
    if (ended === 'broken') failures = 1
    const waitMs = backoffMs(failures, 500, LONGEST_WAIT_MS[ended])
    await delay(waitMs, signal)
  }
  outage.over()
}

/** Registers on one stream until it breaks. */
async function registerOnce(parts: RegistrationParts, outage: Outage, signal: AbortSignal): Promise<Ended> {
  const call = parts.coordinator.register()
  const say = () => call.write(parts.describe())
  const repeating = setInterval(say, REGISTER_MS)
  const end = () => call.cancel()
  signal.addEventListener('abort', end, { once: true })
  let answered = false
  call.on('data', (response: RegisterResponse) => {
    outage.over()
    if (!answered) greet(parts, response)
    parts.onTakeTasks(!response.drain && isCompatible(response.protocol))
    answered = true
  })
  say()
  try {
    await once(call, 'end')
  } catch (error) {
    if (signal.aborted) return 'broken'
    if (isRefusal(error)) return refused(parts, outage, error)
    outage.begun(error)
    if (answered) parts.log.warn({ err: error }, 'the registration with the coordinator broke')
  } finally {
    clearInterval(repeating)
    signal.removeEventListener('abort', end)
    call.on('error', () => undefined).cancel()
  }
  return answered ? 'broken' : 'unanswered'
}

function greet({ log }: RegistrationParts, { protocol, coordinator_version }: RegisterResponse): void {
  log.info({ coordinator_version, protocol }, 'registered with a coordinator')
  if (!isCompatible(protocol)) {
    log.error(
      { protocol, mine: PROTOCOL },
      'the coordinator is too old or too new for this agent, which takes no tasks',
    )
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && REFUSALS.includes(error.code)

const REFUSALS: readonly unknown[] = [Status.UNAUTHENTICATED, Status.FAILED_PRECONDITION]

/** Without being let in, taking tasks from the queue would only keep them from others. */
function refused({ log, onTakeTasks }: RegistrationParts, outage: Outage, error: unknown): Ended {
  outage.over()
  onTakeTasks(false)
  log.error({ err: error }, 'the coordinator refuses this agent, which takes no tasks')
  return 'refused'
}
