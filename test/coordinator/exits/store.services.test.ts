import type { ExitDocument } from '@placefleet/coordinator/exits/documents'
import { createExitStore } from '@placefleet/coordinator/exits/store'
import { newExit } from '@placefleet/shared/exits/rules'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const store = createExitStore(db)
const NOW = new Date('2026-03-02T09:00:00.000Z')

const exitAt = (_id: string, revision: string): ExitDocument => ({
  _id,
  kind: 'direct',
  state: newExit({ pace: undefined, restMs: 60_000 }),
  users: [],
  verdicts: {},
  counted_since: NOW,
  used_at: NOW,
  revision,
})

const revisionOf = async (_id: string) => (await store.read([_id])).exits.get(_id)?.revision

test('of two coordinators that create an exit only the first decides', async () => {
  const create = (revision: string) => store.write([{ next: exitAt('created', revision), replaces: undefined }], true)
  expect(await create('first')).toEqual(new Set(['created']))
  expect(await create('second')).toEqual(new Set())
  expect(await revisionOf('created')).toBe('first')
})

test('a decision holds only for the state that was read, and leaves the other exits of its write alone', async () => {
  const create = (_id: string) => ({ next: exitAt(_id, `${_id} 1`), replaces: undefined })
  await store.write([create('changed'), create('same')], true)
  await store.write([{ next: exitAt('changed', 'by another'), replaces: 'changed 1' }], true)
  const late = ['changed', 'same'].map((_id) => ({ next: exitAt(_id, `${_id} 2`), replaces: `${_id} 1` }))
  expect(await store.write(late, true)).toEqual(new Set(['same']))
  expect([await revisionOf('changed'), await revisionOf('same')]).toEqual(['by another', 'same 2'])
})
