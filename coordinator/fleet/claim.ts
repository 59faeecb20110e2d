import { randomUUID } from 'node:crypto'
import type { Assignment, Claim } from '@placefleet/proto/fleet'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'
import type { JobStore } from '../jobs/store.ts'
import type { TaskDocument } from '../tasks/documents.ts'
import type { Lease, Leases } from '../tasks/lease.ts'
import { isRefused } from '../tasks/snooze.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { AgentRegistry } from './agents.ts'
import { type AssignmentDeps, assignmentOf } from './assignment.ts'
import { type Caller, idOf } from './authenticate.ts'
import { mustBeId } from './contract.ts'
import { momentNow, type RunningTask } from './ingest.ts'
import type { OpenStreams } from './open-streams.ts'

export type ClaimDeps = AssignmentDeps & {
  jobs: JobStore
  tasks: TaskStore
  leases: Leases
  engine: JobEngine
  streams: OpenStreams
  agents: Pick<AgentRegistry, 'hostOf'>
}

/** Tasks that one enrolled agent may hold: more than an agent has slots, and a bound for a stolen token. */
const MAX_TASKS_OF_AGENT = 200

export type Granted = { task: RunningTask; assignment: Assignment }

/**
 * Grants a task to an agent, or gives the reason of the refusal. Takes four to five database commands; releasing the
 * next tasks comes after the answer.
 * @throws ContractViolation when an id of the claim is not a UUID.
 */
export async function grantClaim(
  deps: ClaimDeps,
  caller: Caller,
  claim: Claim,
): Promise<Granted | { refusal: string }> {
  mustBeId(claim.task_id)
  if (claim.claim_id !== undefined) mustBeId(claim.claim_id)
  const holder = { agent_id: idOf(caller, claim.agent_id), stream: randomUUID() }
  const isNew = claim.resume_attempt === undefined
  if (isNew && caller.draining) return { refusal: 'draining' }
  const name = caller.enrolment?.name
  if (name !== undefined && deps.streams.countOf(name) >= MAX_TASKS_OF_AGENT) return { refusal: 'busy' }
  const confirmed = momentNow()
  const host = await deps.agents.hostOf(holder.agent_id)
  const task = await take(deps, claim, { ...holder, host })
  if (!task) return { refusal: await refusalFor(deps, claim, [holder.agent_id, ...(host === undefined ? [] : [host])]) }
  const lease = { ...holder, task_id: task._id, attempt: task.attempt }
  const job = await runningJob(deps, task.job_id)
  if (!job) {
    await deps.leases.cancel(lease)
    return { refusal: 'done' }
  }
  deps.streams.granted(job._id, lease)
  if (isNew) deps.engine.taskClaimed(job._id)
  return { task: { lease, job, confirmed }, assignment: await assignmentOf(deps, task, job) }
}

function take(
  { leases }: ClaimDeps,
  { task_id, resume_attempt: attempt, claim_id }: Claim,
  { host, ...holder }: Pick<Lease, 'agent_id' | 'stream'> & { host: string | undefined },
): Promise<TaskDocument | undefined> {
  return attempt === undefined
    ? leases.claim(task_id, { ...holder, host }, claim_id)
    : leases.resume({ ...holder, task_id, attempt })
}

async function refusalFor({ jobs, tasks }: ClaimDeps, claim: Claim, claimants: readonly string[]): Promise<string> {
  const task = await tasks.find(claim.task_id)
  if (!task) return 'unknown'
  const job = await jobs.find(task.job_id)
  if (job?.status !== 'running' && job?.status !== 'pending') return 'done'
  if (claim.resume_attempt !== undefined) return 'stale'
  return isRefused(task, claimants) ? 'resting' : 'busy'
}

/** The job of a task while it runs. The first claim of a task starts the job. */
async function runningJob({ jobs, engine }: ClaimDeps, job_id: string): Promise<JobDocument | undefined> {
  const job = await jobs.find(job_id)
  if (job?.deleted_at) return undefined
  const current = job?.status === 'pending' ? ((await engine.start(job)) ?? (await jobs.find(job_id))) : job
  return current?.status === 'running' ? current : undefined
}
