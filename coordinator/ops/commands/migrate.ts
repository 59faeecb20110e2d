import { facts } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { schemaStatus } from '../../mongo/migrations/runner.ts'
import { type OpsCommand, opsCommand } from '../context.ts'

const statusCommand = opsCommand({
  words: 'migrate status',
  about: 'the schema version of the database, and the steps that the next start of this release applies',
  options: z.object({}),
  async run({ database }) {
    const status = await schemaStatus(await database())
    const pending = status.pending.map(({ id, name }) => `${id} ${name}`).join('; ') || 'none'
    return { data: status, text: facts({ 'schema version': status.version, 'this release': status.known, pending }) }
  },
})

export const migrateCommands: OpsCommand[] = [statusCommand]
