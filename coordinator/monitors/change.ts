import type { AllowHosts } from '@placefleet/shared/egress/target'
import { withLimits } from '@placefleet/shared/job'
import { type Account, isLimited } from '../http/authentication.ts'
import { AppError, orNotFound } from '../http/errors.ts'
import { createOnce, type IdempotentRequest, keyOfOther } from '../jobs/idempotency.ts'
import { readProxies, sealProxies } from '../jobs/proxies.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { type TownNear, withCentre } from '../towns/near.ts'
import type { MonitorDeps } from './create-run.ts'
import type { MonitorDocument, MonitorWithProxies } from './documents.ts'
import { removeMonitor } from './removal.ts'
import { type Schedule, scheduleFault } from './schedule.ts'
import type { ChangeMonitorRequest, CreateMonitorRequest } from './schema.ts'
import type { MonitorDraft } from './store.ts'

export type ChangeDeps = MonitorDeps & { allowHosts: AllowHosts; townNear: TownNear }

/**
 * Creates a monitor, or returns the one that its `Idempotency-Key` created before. Its first run comes with its first
 * due time.
 * @throws AppError `bad_request` for a schedule that never or too often comes true, or a proxy or a `near` that is not
 * allowed; `conflict` when the user has 50 monitors; `idempotency_key_in_use_with_different_body`.
 */
export async function createMonitor(
  deps: ChangeDeps,
  account: Account,
  request: CreateMonitorRequest,
  idempotent?: IdempotentRequest,
): Promise<{ monitor: MonitorDocument; replayed: boolean }> {
  return createOnce(
    () => monitorOfKey(deps.monitors, account.user_id, idempotent),
    async () => ({ monitor: await deps.monitors.insert(await draftOf(deps, account, request, idempotent)) }),
  )
}

async function monitorOfKey(
  monitors: ChangeDeps['monitors'],
  user_id: string,
  idempotent: IdempotentRequest | undefined,
): Promise<{ monitor: MonitorDocument } | undefined> {
  const monitor = idempotent && (await monitors.ofKey(user_id, idempotent.key))
  if (!monitor) return undefined
  if (monitor.idempotency?.fingerprint === idempotent.fingerprint) return { monitor }
  throw keyOfOther('with a different body', 'monitor')
}

async function draftOf(
  deps: ChangeDeps,
  { user_id, source, key_id }: Account,
  { name, job, schedule, jitter_seconds, ends_at, paused, pause_reason, watch_ratings }: CreateMonitorRequest,
  idempotency: IdempotentRequest | undefined,
): Promise<MonitorDraft> {
  checkSchedule(schedule, new Date())
  return {
    _id: timeOrderedUuid(),
    user_id,
    name,
    source,
    ...(key_id !== undefined && { key_id }),
    ...(await jobFields(deps, job)),
    schedule,
    jitter_seconds,
    ...(ends_at !== undefined && { ends_at: new Date(ends_at) }),
    watch_ratings,
    failures: 0,
    ...(paused && pauseBy(pause_reason)),
    ...(idempotency && { idempotency }),
  }
}

/**
 * Checks that an account may run, change and delete a monitor. An API key with a spending limit may do so with monitors
 * that it created, because the jobs of others do not count for its limit.
 * @throws AppError `forbidden` otherwise.
 */
export async function checkControl(
  { monitors }: Pick<ChangeDeps, 'monitors'>,
  { user_id, key_id, limits }: Account,
  monitor_id: string,
): Promise<void> {
  if (!isLimited(limits)) return
  const monitor = await monitors.find(user_id, monitor_id)
  if (!monitor || monitor.key_id === key_id) return
  const text = 'This API key has a spending limit, so it can run, change and delete only the monitors that it created.'
  throw new AppError('forbidden', `${text} Use another key or the console.`)
}

/**
 * Changes a monitor in one write. A new schedule, and the end of a pause, count from now on.
 * @throws AppError `not_found`, and those of `createMonitor`.
 */
export async function changeMonitor(
  deps: ChangeDeps,
  user_id: string,
  monitor_id: string,
  request: ChangeMonitorRequest,
): Promise<MonitorDocument> {
  const { name, job, schedule, jitter_seconds, ends_at, watch_ratings } = request
  const { paused, pause_reason } = request
  if (schedule) checkSchedule(schedule, new Date())
  const set: Partial<MonitorWithProxies> = {
    ...(name !== undefined && { name }),
    ...(job && (await jobFields(deps, job))),
    ...(schedule && { schedule }),
    ...(jitter_seconds !== undefined && { jitter_seconds }),
    ...(watch_ratings !== undefined && { watch_ratings }),
    ...(typeof ends_at === 'string' && { ends_at: new Date(ends_at) }),
    ...(paused && pauseBy(pause_reason)),
  }
  const unset: (keyof MonitorWithProxies)[] = [
    ...(ends_at === null ? ['ends_at' as const] : []),
    ...(job && job.proxies.length === 0 ? ['sealed_proxies' as const] : []),
    ...(paused === false ? ['paused' as const, 'pause_reason' as const] : []),
    ...(paused === undefined ? [] : (['paused_at', 'pause_announced'] as const)),
  ]
  const restart = schedule ? 'intervals' : paused === false ? 'occurrences' : undefined
  return orNotFound(await deps.monitors.change(user_id, monitor_id, { set, unset, restart }), 'monitor')
}

const pauseBy = (pause_reason = 'by its user') => ({ paused: true, pause_reason }) as const

/**
 * Deletes a monitor. One write decides and hides it. Then it is removed, by any coordinator once its run has ended.
 * @throws AppError `not_found`.
 */
export async function deleteMonitor(deps: ChangeDeps, user_id: string, monitor_id: string): Promise<void> {
  orNotFound(await deps.monitors.hide(user_id, monitor_id), 'monitor')
  await removeMonitor(deps, monitor_id)
}

function checkSchedule(schedule: Schedule, now: Date): void {
  const problem = scheduleFault(schedule, now)
  if (problem) throw fault(`schedule.${problem.field}`, problem.message)
}

const fault = (path: string, message: string) =>
  new AppError('bad_request', `\`${path}\` ${message}.`, { details: [{ path, message }] })

async function jobFields({ secrets, allowHosts, townNear }: ChangeDeps, request: CreateMonitorRequest['job']) {
  const { proxies: lines, ...job } = withLimits(await withCentre(townNear, request))
  const proxies = readProxies(lines, allowHosts)
  const sealed_proxies = sealProxies(secrets, proxies)
  return { job, proxy_count: proxies.length, ...(sealed_proxies !== undefined && { sealed_proxies }) }
}
