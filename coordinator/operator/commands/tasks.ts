import { idOption, limitOption } from '@placefleet/shared/commands/command'
import { shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { listDeadTasks } from '../dead-tasks.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const deadCommand = opsCommand({
  words: 'tasks dead',
  about: 'tasks that failed after all attempts, latest first, with the reason',
  options: z.object({ job: idOption('only tasks of this job').optional(), limit: limitOption(50) }),
  async run({ database }, { job, limit }) {
    const data = await listDeadTasks(await database(), { job_id: job, limit })
    const rows = data.map(({ job_id, kind, keyword, ordinal, failures, reason, message, detail, agent, ended_at }) => [
      job_id,
      kind === 'discover' ? `search ${shortened(keyword ?? '', 30)}` : `places ${ordinal + 1}`,
      failures,
      `${reason ?? 'unknown'}: ${shortened(detail ?? message ?? '', 120)}`,
      agent,
      ended_at && new Date(ended_at),
    ])
    const heads = ['job', 'task', 'attempts', 'reason', 'agent', 'failed at']
    return { data, text: table(heads, rows, 'No failed tasks.') }
  },
})

export const taskCommands: OpsCommand[] = [deadCommand]
