import { reasonOf } from '@placefleet/shared/command-line'
import type { Report } from '@placefleet/shared/commands/command'
import { switchOption } from '@placefleet/shared/commands/command'
import { harmless, judged, strong } from '@placefleet/shared/commands/table'
import type { Environment } from '@placefleet/shared/config'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { z } from 'zod'
import { diagnose } from '../../admin/doctor/diagnosis.ts'
import { gatherFacts, NATS_WITHIN_MS, type QueueFacts, queueFacts } from '../../admin/doctor/facts.ts'
import { fullDatabaseDisk } from '../../mongo/data-disk.ts'
import { addressOf, dataDirOf } from '../addresses.ts'
import type { OpsContext } from '../context.ts'
import { type OpsCommand, opsCommand } from '../context.ts'
import { askMapSite, type MapSiteReport } from '../doctor/map-site.ts'

const doctorCommand = opsCommand({
  words: 'doctor',
  about: 'check MongoDB, NATS, coordinators, agents and jobs, and say why work is idle',
  options: z.object({
    maps: switchOption('request one search and one place from the map site instead, and show which fields it returns'),
  }),
  run: (context, { maps }) => (maps ? mapSiteReport(context) : installationReport(context)),
})

async function installationReport(context: OpsContext): Promise<Report> {
  const { database, env } = context
  const diagnosis = diagnose(await gatherFacts({ database, queue: () => askQueue(env), fullDisk: () => askDisk(env) }))
  const lines = diagnosis.checks.map(
    ({ name, ok, detail }) => `${judged(ok, ok ? 'ok  ' : 'FAIL')} ${strong(name.padEnd(11))} ${harmless(detail)}`,
  )
  return { data: diagnosis, text: [...lines, '', ...diagnosis.advice].join('\n'), failed: !diagnosis.healthy }
}

async function askDisk(env: Environment): Promise<string | undefined> {
  try {
    return await fullDatabaseDisk({ MONGODB_URL: addressOf('MONGODB_URL', env).url, DATA_DIR: dataDirOf(env) })
  } catch {
    return undefined // the check of MongoDB says why its address is unknown
  }
}

async function askQueue(env: Environment): Promise<QueueFacts> {
  const { url, from } = addressOf('NATS_URL', env)
  const options = { ...natsServers(url), name: 'ops', timeout: NATS_WITHIN_MS, reconnect: false }
  const connection = await connect(options).catch((cause) => {
    throw new Error(`NATS does not answer at the address in ${from}: ${reasonOf(cause)}`, { cause })
  })
  try {
    return await queueFacts(connection)
  } finally {
    await connection.close()
  }
}

async function mapSiteReport({ env }: OpsContext): Promise<Report> {
  const report = await askMapSite(env)
  const { healthy, search, place } = report
  const conclusion = healthy
    ? 'The map site returns all required fields.'
    : 'The map site does not return all required fields.'
  const lines = [
    ...answerLines('One search', search),
    '',
    ...answerLines('One place', place),
    '',
    judged(healthy, conclusion),
  ]
  return { data: report, text: lines.join('\n'), failed: !healthy }
}

function answerLines(name: string, { places, failure, fields }: MapSiteReport['search']): string[] {
  const head = `${strong(name)}: ${places} place(s)${failure === undefined ? '' : `; ${harmless(failure)}`}`
  return [
    head,
    ...fields.map(({ field, path, came }) => `  ${field.padEnd(20)}${path.padEnd(32)}${came ? 'yes' : 'no'}`),
  ]
}

export const doctorCommands: OpsCommand[] = [doctorCommand]
