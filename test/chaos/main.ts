// npm run chaos: a fleet on this machine under random faults, and a checker that proves that nothing was lost.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { canHaveSmallDisk } from '../harness/small-disk.ts'
import { type Simulated, simulateAgents } from './agents/simulate.ts'
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
  --rounds N     how often each recovery time is measured in the end (default: 3; 0 skips it)
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
  seed: whole.max(0xffff_ffff).optional(),
  minutes: z.coerce.number().positive().default(10),
  users: whole.min(1).default(5),
  rounds: whole.default(3),
  keep: z.boolean().default(false),
  json: z.boolean().default(false),
})

const AgentFlags = z.object({
  agents: whole.min(1).default(1_000),
  coordinators: whole.min(1).optional(),
  seconds: whole.min(1).default(30),
  pace: whole.min(1).default(2_000),
  json: z.boolean().default(false),
})

// By way of `exit`, so that the fleet is ended, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exit(await main(process.argv.slice(2)))

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      agents: { type: 'string' },
      coordinators: { type: 'string' },
      seconds: { type: 'string' },
      pace: { type: 'string' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      users: { type: 'string' },
      rounds: { type: 'string' },
      keep: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const begun = performance.now()
  const say = (line: string) =>
    console.error(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${line}`)
  return positionals[0] === 'agents' ? agents(values, say) : faults(values, say)
}

async function agents(values: object, say: (line: string) => void): Promise<number> {
  const { agents, coordinators, seconds, pace: paceMs, json } = AgentFlags.parse(values)
  const reports: Simulated[] = []
  for (const count of coordinators === undefined ? [1, 2] : [coordinators]) {
    reports.push(await simulateAgents({ agents, coordinators: count, seconds, paceMs }, say))
  }
  console.log(json ? JSON.stringify(reports, undefined, 2) : reports.map(agentsText).join('\n'))
  return 0
}

function agentsText({ processes, health_ms, ...report }: Simulated): string {
  const used = Object.entries(processes).map(
    ([name, { cpu_percent, rss_mb }]) => `  ${name}: ${cpu_percent} % of a core, ${rss_mb} MB`,
  )
  return [
    `${report.agents} agents on ${report.coordinators} coordinator(s), ${report.busy_agents} busy on average:`,
    `  ${report.places_a_second} places/s of ${report.offered_places_a_second} offered, ${report.claims_a_second} claims/s`,
    `  /health answers in ${health_ms.p50} ms (p50), ${health_ms.p99} ms (p99); ${report.expired_leases} leases expired`,
    ...used,
  ].join('\n')
}

async function faults(values: object, say: (line: string) => void): Promise<number> {
  const { json, seed = Date.now() % 0xffff_ffff, ...options } = Flags.parse(values)
  say(`seed ${seed}`)
  if (!canHaveSmallDisk()) say('no mount namespaces here: the faults that fill an agent’s disk are left out')
  const report = await runChaos({ seed, ...options }, say)
  console.log(json ? JSON.stringify(report, undefined, 2) : textOf(report, options.minutes))
  return report.violations.length > 0 ? 1 : 0
}

function textOf(report: RunReport, minutes: number): string {
  const { faults, calls, jobs, waited_s, recovery_ms, violations, seed, directory } = report
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  const times = Object.entries(recovery_ms ?? {}).map(
    ([what, ms]) => `  ${what}: ${ms.map((one) => `${(one / 1_000).toFixed(1)} s`).join(', ')}`,
  )
  const found = violations.map(({ check, message }) => `  ${check}: ${message}`)
  return [
    `${faults.total} faults in ${minutes} min: ${listed(faults.by_kind)}${faults.missed > 0 ? `; ${faults.missed} could not be had` : ''}`,
    `calls: ${listed(calls)}`,
    `jobs: ${listed(jobs)}`,
    ...Object.entries(waited_s).map(
      ([what, { p50, p95, max }]) => `jobs waited for their ${what}: p50 ${p50} s, p95 ${p95} s, longest ${max} s`,
    ),
    ...(times.length > 0 ? ['recovery, until work went on:', ...times] : []),
    `${violations.length} violations`,
    ...found,
    ...(violations.length > 0
      ? [`Logs are in ${directory}. Repeat with: npm run chaos -- --seed ${seed} --minutes ${minutes}`]
      : []),
  ].join('\n')
}
