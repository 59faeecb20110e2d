import type { CommandLine } from '@placefleet/shared/commands/program'
import { agentCommands } from './agents.ts'
import type { OpsContext } from './context.ts'
import { creditCommands } from './credits.ts'
import { backupCommands } from './database.ts'
import { doctorCommands } from './doctor.ts'
import { eraseCommands } from './erase.ts'
import { exitCommands } from './exits.ts'
import { jobCommands } from './jobs.ts'
import { keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { priceCommands } from './prices.ts'
import { secretCommands } from './secrets.ts'
import { supportCommands } from './support.ts'
import { taskCommands } from './tasks.ts'
import { unknownAnswerCommands } from './unknown-answers.ts'
import { userCommands } from './users.ts'

/** All commands of `ops`. */
export const OPS: CommandLine<OpsContext> = {
  name: 'ops',
  about: "The operator's command line.",
  groups: [
    ['users', 'users of the service', userCommands],
    ['keys', 'API keys', keyCommands],
    ['credits', 'grant and correct credits', creditCommands],
    ['prices', 'unit prices over time', priceCommands],
    ['ledger', 'verify the ledger', ledgerCommands],
    ['jobs', 'jobs of all users', jobCommands],
    ['tasks', 'tasks of the agents', taskCommands],
    ['agents', 'the fleet', agentCommands],
    ['exits', 'proxies and addresses of the fleet', exitCommands],
    ['secrets', 'the key that encrypts secrets', secretCommands],
    ['support', 'support requests', supportCommands],
  ],
  commands: [...backupCommands, ...eraseCommands, ...doctorCommands, ...unknownAnswerCommands],
  ending: `Users are named by id or email. --json prints JSON on stdout; errors go to stderr.

Commands use the MongoDB at MONGODB_URL, else the one that runs on the data directory DATA_DIR (./data).

Exit codes: 0 success, 1 the command failed or found a fault, 2 wrong usage.`,
}
