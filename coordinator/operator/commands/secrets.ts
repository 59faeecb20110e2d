import { UsageError } from '@placefleet/shared/command-line'
import type { Environment } from '@placefleet/shared/config'
import { z } from 'zod'
import { sessionSealedFields } from '../../accounts/documents.ts'
import { createExitIds } from '../../exits/documents.ts'
import { createProxyPool, poolSealedFields } from '../../exits/pool.ts'
import { AppError } from '../../http/errors.ts'
import { jobSealedFields } from '../../jobs/proxies.ts'
import { monitorSealedFields } from '../../monitors/documents.ts'
import { countCoordinators } from '../../process/presence.ts'
import { createSecretBox, decodeSecretsKey } from '../../secrets/secret-box.ts'
import { rotateSecretsKey } from '../../secrets/store.ts'
import { webhookSealedFields } from '../../webhooks/documents.ts'
import { counted } from '../doctor/findings.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const SEALED_FIELDS = [
  ...sessionSealedFields,
  ...jobSealedFields,
  ...monitorSealedFields,
  ...webhookSealedFields,
  ...poolSealedFields,
]

const rotateCommand = opsCommand({
  words: 'secrets rotate',
  about: 'encrypt all secrets with NEW_SECRETS_KEY instead of SECRETS_KEY; stop all coordinators first',
  options: z.object({}),
  async run({ database, env }) {
    const [from, next] = [keyOf(env, 'SECRETS_KEY'), keyOf(env, 'NEW_SECRETS_KEY')]
    const to = createSecretBox(next)
    const db = await database()
    const running = await countCoordinators(db)
    if (running > 0) {
      throw new AppError(
        'conflict',
        `Stop all coordinators first, then wait 15 s: ${counted(running, 'coordinator')} at work.`,
      )
    }
    const changed = await rotateSecretsKey(db, createSecretBox(from), to, SEALED_FIELDS)
    await createProxyPool(db, { secrets: to, exitIds: createExitIds(next) }).rename()
    const text = `${counted(changed, 'document')} encrypted again. Set SECRETS_KEY to the new key and start the coordinators.`
    return { data: { key_id: to.keyId, changed }, text }
  },
})

function keyOf(env: Environment, name: string): Buffer {
  const key = env[name]
  if (!key)
    throw new UsageError(`${name} is not set. Set SECRETS_KEY to the current key and NEW_SECRETS_KEY to the next.`)
  return decodeSecretsKey(key)
}

export const secretCommands: OpsCommand[] = [rotateCommand]
