import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RegisterRequest } from '@placefleet/proto/fleet'
import { backoffMs } from '@placefleet/shared/backoff'
import type { Logger } from '@placefleet/shared/log'
import { PROTOCOL, REGISTER_MS } from '@placefleet/shared/protocol'
import type { Coordinator } from './coordinator.ts'

export type RegistrationParts = {
  coordinator: Coordinator
  log: Logger
  /** How the agent is now. */
  describe(): RegisterRequest
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
async function registerOnce({ coordinator, log, describe }: RegistrationParts, signal: AbortSignal): Promise<boolean> {
  const call = coordinator.register()
  const say = () => call.write(describe())
  const repeating = setInterval(say, REGISTER_MS)
  const end = () => call.cancel()
  signal.addEventListener('abort', end, { once: true })
  let answered = false
  call.on('data', ({ protocol, coordinator_version }) => {
    if (!answered) log.info({ coordinator_version }, 'registered with a coordinator')
    if (!answered && protocol !== PROTOCOL)
      log.warn({ protocol, mine: PROTOCOL }, 'the coordinator speaks another version')
    answered = true
  })
  say()
  try {
    await once(call, 'end')
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the registration with the coordinator broke')
  } finally {
    clearInterval(repeating)
    signal.removeEventListener('abort', end)
    call.on('error', () => undefined).cancel()
  }
  return answered
}
