import { z } from 'zod'
import { type OpsCommand, opsCommand } from '../command.ts'
import { diagnose } from '../doctor/diagnosis.ts'
import { gatherFacts } from '../doctor/facts.ts'
import { harmless, judged, strong } from '../table.ts'

const doctorCommand = opsCommand({
  words: 'doctor',
  about: 'look at MongoDB, NATS, coordinators, agents and jobs, and say why work is idle',
  options: z.object({}),
  async run(context) {
    const diagnosis = diagnose(await gatherFacts(context))
    const lines = diagnosis.checks.map(
      ({ name, ok, detail }) => `${judged(ok, ok ? 'ok  ' : 'FAIL')} ${strong(name.padEnd(11))} ${harmless(detail)}`,
    )
    return { data: diagnosis, text: [...lines, '', ...diagnosis.advice].join('\n'), failed: !diagnosis.healthy }
  },
})

export const doctorCommands: OpsCommand[] = [doctorCommand]
