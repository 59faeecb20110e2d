import { z } from 'zod'
import { type OpsCommand, opsCommand, type Report } from '../command.ts'
import type { OpsContext } from '../context.ts'
import { diagnose } from '../doctor/diagnosis.ts'
import { gatherFacts } from '../doctor/facts.ts'
import { askMapSite, type MapSiteReport } from '../doctor/map-site.ts'
import { switchOption } from '../options.ts'
import { harmless, judged, strong } from '../table.ts'

const doctorCommand = opsCommand({
  words: 'doctor',
  about: 'check MongoDB, NATS, coordinators, agents and jobs, and say why work is idle',
  options: z.object({
    maps: switchOption('request one search and one place from the map site instead, and show which fields it returns'),
  }),
  run: (context, { maps }) => (maps ? mapSiteReport(context) : installationReport(context)),
})

async function installationReport(context: OpsContext): Promise<Report> {
  const diagnosis = diagnose(await gatherFacts(context))
  const lines = diagnosis.checks.map(
    ({ name, ok, detail }) => `${judged(ok, ok ? 'ok  ' : 'FAIL')} ${strong(name.padEnd(11))} ${harmless(detail)}`,
  )
  return { data: diagnosis, text: [...lines, '', ...diagnosis.advice].join('\n'), failed: !diagnosis.healthy }
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
