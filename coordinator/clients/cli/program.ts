import type { CommandLine } from '@placefleet/shared/commands/program'
import { creditCommands } from './commands/credits.ts'
import { exportAllCommand, exportCommand } from './commands/export.ts'
import { jobCommands } from './commands/jobs.ts'
import { keyCommands } from './commands/keys.ts'
import { knownPlaceCommands } from './commands/known-places.ts'
import { localWebhookCommands } from './commands/local-webhooks.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { mcpCommand } from './commands/mcp.ts'
import { monitorCommands } from './commands/monitors.ts'
import { placesCommand } from './commands/places.ts'
import { runCommand } from './commands/run.ts'
import { townsCommand } from './commands/towns.ts'
import { webhookCommands } from './commands/webhooks.ts'
import { type CliContext, VERSION } from './context.ts'

export const PLACEFLEET: CommandLine<CliContext> = {
  name: 'placefleet',
  about: 'Collects business listings with a Placefleet service. Begin with `login`.',
  version: VERSION,
  commands: [
    runCommand,
    placesCommand,
    exportCommand,
    exportAllCommand,
    townsCommand,
    mcpCommand,
    loginCommand,
    logoutCommand,
  ],
  groups: [
    ['jobs', 'your jobs', jobCommands],
    ['monitors', 'jobs that are created again and again', monitorCommands],
    ['keys', 'your API keys', keyCommands],
    ['credits', 'your credits', creditCommands],
    ['known-places', 'places that you have already, for jobs with --only-new', knownPlaceCommands],
    ['webhooks', 'your webhooks, and webhooks on this machine', [...webhookCommands, ...localWebhookCommands]],
  ],
  ending: `PLACEFLEET_URL is the address of the service, PLACEFLEET_API_KEY your key. They override the settings that \`login\` stored.
Data goes to stdout, messages to stderr. --json prints JSON.

Exit codes: 0 success, 1 failed, 2 wrong usage, 3 not logged in, 4 not found, 5 not enough credits or a limit,
6 the job did not complete, 7 the key may not do this.`,
}
