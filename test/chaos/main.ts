// npm run chaos: a fleet on this machine under random faults, and a checker that proves that nothing was lost.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { canHaveSmallDisk } from '../harness/small-disk.ts'
import { simulateAgents } from './agents/simulate.ts'
import { type RunReport, runChaos } from './run.ts'

const HELP = `Usage: npm run chaos -- [--seed S] [--minutes M] [options]
       npm run chaos -- agents [--agents N] [--coordinators C] [options]

Runs two coordinators, four agents, NATS and MongoDB on this machine, kills, freezes and cuts them off at random while
users create, cancel and delete jobs, heals everything and checks that nothing was lost, doubled or wrongly charged.
Coordinators also die between two writes of a job's creation, cancellation, deletion, closing or purging.
Exit code 1: something was. The same seed repeats the same faults.

  --seed S       whole number that the faults and the users follow from (default: the time)
  --minutes M    how long faults happen (default: 10, with about 250 faults)
  --users N      how many users there are (default: 5)
  --keep         keep the directory with all logs (it is kept anyway when something is wrong)
  --json         the report as JSON on stdout; progress goes to stderr

With "agents" it measures instead how many agents coordinators hold: real workers and streams, many in one process,
before a scripted town.

  --agents N     how many (default: 1000)
  --coordinators C  how many (default: 1, then 2)
  --seconds S    how long it is measured (default: 30)
  --pace MS      milliseconds that an agent takes for a place (default: 2000)`

const whole = z.coerce.number().int().min(0)
const Flags = z.object({
  seed: whole.max(0xffff_ffff).default(() => Date.now() % 0xffff_ffff),
  minutes: z.coerce.number().positive().default(10),
  users: whole.min(1).default(5),
  agents: whole.min(1).default(1_000),
  coordinators: whole.min(1).optional(),
  seconds: whole.min(1).default(30),
  pace: whole.min(1).default(2_000),
  keep: z.boolean().default(false),
  json: z.boolean().default(false),
})

// By way of `exit`, so that the fleet is ended, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exit(await main(process.argv.slice(2)))

async function main(args: string[]): Promise<number> {
  const numbers = ['seed', 'minutes', 'users', 'agents', 'coordinators', 'seconds', 'pace']
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(numbers.map((name) => [name, { type: 'string' } as const])),
      ...Object.fromEntries(['keep', 'json', 'help'].map((name) => [name, { type: 'boolean' } as const])),
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const begun = performance.now()
  const say = (line: string) =>
    console.error(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${line}`)
  const flags = Flags.parse(values)
  return positionals[0] === 'agents' ? agents(flags, say) : faults(flags, say)
}

type Flags = z.infer<typeof Flags>

async function agents({ coordinators, json, ...options }: Flags, say: (line: string) => void): Promise<number> {
  for (const count of coordinators === undefined ? [1, 2] : [coordinators]) {
    const report = await simulateAgents({ ...options, coordinators: count }, say)
    console.log(json ? JSON.stringify(report, undefined, 2) : textOf(report))
  }
  return 0
}

function textOf(report: object): string {
  const lines = Object.entries(report).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return lines.join('\n')
}

async function faults({ json, minutes, ...options }: Flags, say: (line: string) => void): Promise<number> {
  say(`seed ${options.seed}`)
  if (!canHaveSmallDisk()) say('no mount namespaces here: the faults that fill an agent’s disk are left out')
  const report = await runChaos({ minutes, ...options }, say)
  console.log(json ? JSON.stringify(report, undefined, 2) : reportText(report, minutes))
  return report.violations.length > 0 ? 1 : 0
}

function reportText({ faults, calls, jobs, violations, seed, directory }: RunReport, minutes: number): string {
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  return [
    `faults in ${minutes} min: ${listed(faults)}`,
    `calls: ${listed(calls)}`,
    `jobs: ${listed(jobs)}`,
    `${violations.length} violations`,
    ...violations.map(({ check, message }) => `  ${check}: ${message}`),
    ...(violations.length > 0
      ? [`Logs are in ${directory}. Repeat with: npm run chaos -- --seed ${seed} --minutes ${minutes}`]
      : []),
  ].join('\n')
}
