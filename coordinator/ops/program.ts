import type { CommandLine } from '@placefleet/shared/commands/program'
import { agentCommands } from './commands/agents.ts'
import { creditCommands } from './commands/credits.ts'
import { backupCommands } from './commands/database.ts'
import { doctorCommands } from './commands/doctor.ts'
import { eraseCommands } from './commands/erase.ts'
import { jobCommands } from './commands/jobs.ts'
import { keyCommands } from './commands/keys.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { priceCommands } from './commands/prices.ts'
import { secretCommands } from './commands/secrets.ts'
import { supportCommands } from './commands/support.ts'
import { taskCommands } from './commands/tasks.ts'
import { userCommands } from './commands/users.ts'
import type { OpsContext } from './context.ts'

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
    ['secrets', 'the key that encrypts secrets', secretCommands],
    ['support', 'support requests', supportCommands],
  ],
  commands: [...backupCommands, ...eraseCommands, ...doctorCommands],
  ending: `Users are named by id or email. --json prints JSON on stdout; errors go to stderr.

Commands use the MongoDB at MONGODB_URL, else the one that runs on the data directory DATA_DIR (./data).

Exit codes: 0 success, 1 the command failed or found a fault, 2 wrong usage.`,
}
