import { z } from 'zod'
import { userNamed } from '../../accounts/directory.ts'
import { mongoLedgerStore } from '../../billing/ledger-store.ts'
import { verifyLedger } from '../../billing/verify.ts'
import { jobCollection } from '../../jobs/store.ts'
import { jobOwners, jobsToVerify } from '../../jobs/verify-readers.ts'
import { recountTotals } from '../../results/recount.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { userOption } from '../options.ts'
import { counted, judged, table } from '../table.ts'

const verifyCommand = opsCommand({
  words: 'ledger verify',
  about: 'recompute every balance and cost from the entries and the stored places; may run at any time',
  options: z.object({ user: userOption.optional() }),
  async run({ database }, { user }) {
    const db = await database()
    const jobs = jobCollection(db)
    const deps = {
      store: mongoLedgerStore(db),
      owners: () => jobOwners(jobs),
      jobsOf: (user_id: string) => jobsToVerify(jobs, user_id),
      storedTotals: (job_id: string) => recountTotals(db, job_id),
    }
    const only = user === undefined ? {} : { user_id: (await userNamed(db, user))._id }
    const verification = await verifyLedger(deps, only)
    const { users, entries, deviations } = verification
    const failed = deviations.length > 0
    const rows = deviations.map(({ user_id, subject, message }) => [user_id, subject, message])
    const seen = [counted(users, 'user'), counted(entries, 'ledger line'), counted(verification.jobs, 'job')].join(', ')
    const count = `${seen}: ${counted(deviations.length, 'deviation')}`
    const list = failed ? [table(['user', 'what', 'deviation'], rows, '')] : []
    return { data: verification, text: [...list, judged(!failed, count)].join('\n'), failed }
  },
})

export const ledgerCommands: OpsCommand[] = [verifyCommand]
