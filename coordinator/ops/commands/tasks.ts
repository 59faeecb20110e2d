import { z } from 'zod'
import { tasksOf } from '../../tasks/documents.ts'
import { deadTasks } from '../../tasks/overview.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { idOption, limitOption } from '../options.ts'
import { shortened, table } from '../table.ts'

const deadCommand = opsCommand({
  words: 'tasks dead',
  about: 'tasks that failed after all attempts, latest first, with the reason',
  options: z.object({ job: idOption('only tasks of this job').optional(), limit: limitOption(50) }),
  async run({ database }, { job, limit }) {
    const tasks = await deadTasks(tasksOf(await database()), { job_id: job, limit })
    const data = tasks.map(({ _id: id, job_id, kind, keyword, ordinal, failures, failure, agent_id, ended_at }) => ({
      ...{ id, job_id, kind, keyword, ordinal, failures, agent_id, ended_at },
      reason: failure?.code,
      message: failure?.message,
    }))
    const rows = data.map(({ job_id, kind, keyword, ordinal, failures, reason, message, ended_at }) => [
      job_id,
      kind === 'discover' ? `search ${shortened(keyword ?? '', 30)}` : `places ${ordinal + 1}`,
      failures,
      `${reason ?? 'unknown'}: ${shortened(message ?? '')}`,
      ended_at,
    ])
    const heads = ['job', 'task', 'attempts', 'reason', 'failed at']
    return { data, text: table(heads, rows, 'No failed tasks.') }
  },
})

export const taskCommands: OpsCommand[] = [deadCommand]
