import { once } from 'node:events'
import { status as Status } from '@grpc/grpc-js'
import type { RegisterRequest, RegisterResponse } from '@placefleet/proto/fleet'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'
import { isCompatible, PROTOCOL, REGISTER_MS } from '@placefleet/shared/protocol'
import { atMostEvery, backoffMs, delay } from '@placefleet/shared/timing'
import type { Timings } from '../timings.ts'
import { type Coordinator, withSettings } from './coordinator.ts'
import { AGAIN_MS, createOutage, type Outage } from './outage.ts'

type RegistrationDeps = {
  coordinator: Coordinator
  log: Logger
  timings: Timings
  /** The current state of the agent. */
  describe(): RegisterRequest
  /** Dispatches `change` when the coordinator should learn the state at once. */
  changes?: EventTarget
  /** Called with false while an operator drains the agent, and while no coordinator accepts it or answers. */
  onTakeTasks(takeTasks: boolean): void
  /** Called with the id of a check of the paths to the map site that an operator asks for. */
  onCheck?(check_id: string): void
}

/** `broken`: after an answer. `refused`: a coordinator rejected the agent. `unanswered`: no answer. */
type EndReason = 'broken' | 'refused' | 'unanswered'

/** The longest delay before the next attempt. A refused agent waits longest; an accepted one reconnects soon. */
const LONGEST_WAIT_MS: Record<EndReason, number> = { broken: 500, unanswered: 2_000, refused: 5_000 }

/** Keeps the agent registered until the signal aborts. After some seconds without an answer it takes no tasks. */
export async function keepRegistered(deps: RegistrationDeps, signal: AbortSignal): Promise<void> {
  const { coordinator, log, timings, onTakeTasks } = deps
  const what = `the coordinator at ${coordinator.address}`
  const outage = createOutage({ log, what, lastingMs: timings.lastingOutageMs, onLasting: () => onTakeTasks(false) })
  const onRefusal = atMostEvery(AGAIN_MS, (error: unknown) => {
    log.error(`the coordinator refuses this agent; it takes no tasks (${reasonOf(error)})`)
  })
  for (let failures = 1; !signal.aborted; failures++) {
    outage.begun()
    const ended = await registerOnce(deps, { outage, onRefusal }, signal)
    if (ended === 'broken') failures = 1
    const waitMs = backoffMs(failures, 500, LONGEST_WAIT_MS[ended])
    await delay(waitMs, signal)
  }
  outage.over()
}

/** Registers on one stream until it breaks. */
async function registerOnce(
  deps: RegistrationDeps,
  { outage, onRefusal }: { outage: Outage; onRefusal(error: unknown): void },
  signal: AbortSignal,
): Promise<EndReason> {
  const call = deps.coordinator.register()
  const say = () => call.write(deps.describe())
  const repeating = setInterval(say, REGISTER_MS)
  const end = () => call.cancel()
  signal.addEventListener('abort', end, { once: true })
  deps.changes?.addEventListener('change', say)
  let answered = false
  call.on('data', (response: RegisterResponse) => {
    outage.over()
    if (!answered) greet(deps, response)
    deps.onTakeTasks(!response.drain && isCompatible(response.protocol))
    if (response.check_id !== '') deps.onCheck?.(response.check_id)
    answered = true
  })
  say()
  try {
    await once(call, 'end')
  } catch (error) {
    if (signal.aborted) return 'broken'
    if (isRefusal(error)) {
      outage.over()
      deps.onTakeTasks(false) // an agent that is not accepted must not take tasks from the queue
      onRefusal(error)
      return 'refused'
    }
    outage.begun(withSettings(reasonOf(error)))
    if (answered) deps.log.warn({ err: error }, 'the registration with the coordinator broke')
  } finally {
    clearInterval(repeating)
    signal.removeEventListener('abort', end)
    deps.changes?.removeEventListener('change', say)
    call.on('error', () => undefined).cancel()
  }
  return answered ? 'broken' : 'unanswered'
}

function greet({ log }: RegistrationDeps, { protocol, coordinator_version }: RegisterResponse): void {
  log.info({ coordinator_version, protocol }, 'registered with a coordinator')
  if (!isCompatible(protocol)) {
    log.error(
      { protocol, mine: PROTOCOL },
      'the versions of this agent and the coordinator do not match; the agent takes no tasks until one of them is updated',
    )
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && REFUSALS.includes(error.code)

const REFUSALS: readonly unknown[] = [Status.UNAUTHENTICATED, Status.FAILED_PRECONDITION]
