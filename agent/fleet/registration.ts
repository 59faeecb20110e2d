import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { status as Status } from '@grpc/grpc-js'
import type { RegisterRequest, RegisterResponse } from '@placefleet/proto/fleet'
import { backoffMs } from '@placefleet/shared/backoff'
import type { Logger } from '@placefleet/shared/log'
import { PROTOCOL, REGISTER_MS, speaksWithUs } from '@placefleet/shared/protocol'
import type { Coordinator } from './coordinator.ts'

export type RegistrationParts = {
  coordinator: Coordinator
  log: Logger
  /** How the agent is now. */
  describe(): RegisterRequest
  /** Told whether the agent is to take tasks: an operator may drain it, and a coordinator may not let it in. */
  onOrder(takeTasks: boolean): void
}

/** Keeps the agent registered until the signal ends it, through any number of broken streams. */
export async function keepRegistered(parts: RegistrationParts, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const lasted = await registerOnce(parts, signal)
    if (lasted) failures = 0
    await sleep(backoffMs(failures + 1, 500, 5_000), undefined, { signal }).catch(() => undefined)
  }
}

/** Registers on one stream until it breaks. Gives whether the coordinator ever answered. */
async function registerOnce(parts: RegistrationParts, signal: AbortSignal): Promise<boolean> {
  const call = parts.coordinator.register()
  const say = () => call.write(parts.describe())
  const repeating = setInterval(say, REGISTER_MS)
  const end = () => call.cancel()
  signal.addEventListener('abort', end, { once: true })
  let answered = false
  call.on('data', (response: RegisterResponse) => {
    if (!answered) greet(parts, response)
    parts.onOrder(!response.drain && speaksWithUs(response.protocol))
    answered = true
  })
  say()
  try {
    await once(call, 'end')
  } catch (error) {
    if (!signal.aborted) notRegistered(parts, error)
  } finally {
    clearInterval(repeating)
    signal.removeEventListener('abort', end)
    call.on('error', () => undefined).cancel()
  }
  return answered
}

function greet({ log }: RegistrationParts, { protocol, coordinator_version }: RegisterResponse): void {
  log.info({ coordinator_version, protocol }, 'registered with a coordinator')
  if (!speaksWithUs(protocol)) {
    log.error(
      { protocol, mine: PROTOCOL },
      'the coordinator is too old or too new for this agent, which takes no tasks',
    )
  }
}

/** Without being let in, taking tasks from the queue would only keep them from others. */
function notRegistered({ log, onOrder }: RegistrationParts, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const refused = code === Status.UNAUTHENTICATED || code === Status.FAILED_PRECONDITION
  if (refused) {
    onOrder(false)
    log.error({ err: error }, 'the coordinator refuses this agent, which takes no tasks')
  } else log.warn({ err: error }, 'the registration with the coordinator broke')
}
