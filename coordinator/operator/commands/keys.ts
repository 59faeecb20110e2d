import { idOption, shownAs } from '@placefleet/shared/commands/command'
import { facts, shortened, table } from '@placefleet/shared/commands/table'
import { CreditAmount } from '@placefleet/shared/job'
import { textSchema } from '@placefleet/shared/text'
import type { Db } from 'mongodb'
import { z } from 'zod'
import type { ApiKeyDocument } from '../../accounts/documents.ts'
import {
  createApiKey,
  findApiKey,
  findUserByName,
  listApiKeys,
  revokeApiKey,
  setKeyLimits,
} from '../../accounts/store.ts'
import { orNotFound } from '../../http/errors.ts'
import { createMonitorStore } from '../../monitors/store.ts'
import { userOption } from '../operations/users.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const credits = (about: string) => CreditAmount.optional().meta(shownAs('credits', about))
const limitOptions = {
  day: credits('the most that its jobs of one UTC day may cost'),
  month: credits('the most that its jobs of one UTC month may cost'),
}

const createKeyCommand = opsCommand({
  words: 'keys create',
  about: 'create an API key; it is shown only once',
  options: z.object({
    user: userOption,
    name: textSchema({ min: 1, max: 100 }).meta(shownAs('name', 'purpose of the key')),
    ...limitOptions,
  }),
  async run({ database }, { user, name, ...limits }) {
    const db = await database()
    const { document, key } = await createApiKey(db, (await findUserByName(db, user))._id, { name, limits })
    return { data: { ...shown(document), key }, text: facts({ id: document._id, name, key }) }
  },
})

const revokeKeyCommand = opsCommand({
  words: 'keys revoke',
  about: 'revoke an API key, from the next request on',
  argument: 'key',
  options: z.object({ key: idOption('id of the key') }),
  async run({ database }, { key }) {
    const db = await database()
    const { user_id } = orNotFound(await findApiKey(db, key), 'API key', key)
    orNotFound(await revokeUserKey(db, user_id, key), 'API key', key)
    return { data: { id: key, revoked: true }, text: `The key ${key} is revoked.` }
  },
})

const revokeUserKey = async (db: Db, user_id: string, key_id: string) =>
  revokeApiKey(db, user_id, key_id, await createMonitorStore(db).keyIds(user_id))

const setKeyLimitsCommand = opsCommand({
  words: 'keys set-limits',
  about: 'replace the spending limits of an API key; without options, remove them',
  argument: 'key',
  options: z.object({ key: idOption('id of the key'), ...limitOptions }),
  async run({ database }, { key, ...limits }) {
    const db = await database()
    const { user_id } = orNotFound(await findApiKey(db, key), 'API key', key)
    orNotFound(await setKeyLimits(db, user_id, key, limits), 'API key', key)
    return { data: { id: key, limits }, text: `The limits of the key ${key} are set.` }
  },
})

const listKeysCommand = opsCommand({
  words: 'keys list',
  about: 'the API keys of a user, oldest first, including revoked ones',
  options: z.object({ user: userOption }),
  async run({ database }, { user }) {
    const db = await database()
    const keys = await listApiKeys(db, (await findUserByName(db, user))._id)
    const rows = keys.map((key) => [
      key._id,
      shortened(key.name),
      `${key.key_hint_prefix}…${key.key_hint_suffix}`,
      key.usage_count,
      key.last_used_at,
      key.revoked_at,
    ])
    const heads = ['id', 'name', 'key', 'requests', 'last used', 'revoked']
    return { data: keys.map(shown), text: table(heads, rows, 'The user has no API keys.') }
  },
})

function shown(key: ApiKeyDocument) {
  const { _id: id, user_id, name, key_hint_prefix, key_hint_suffix } = key
  const { limits, usage_count, created_at, last_used_at, revoked_at } = key
  const times = { created_at, last_used_at, revoked_at }
  return { id, user_id, name, key_hint_prefix, key_hint_suffix, limits, usage_count, ...times }
}

export const keyCommands: OpsCommand[] = [createKeyCommand, setKeyLimitsCommand, revokeKeyCommand, listKeysCommand]
