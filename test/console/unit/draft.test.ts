// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { conflictsOf, type Edits, editsOf, useDraft, withEdits } from '../../../coordinator/console/src/parts/draft.ts'

type Settings = { name: string; schedule: { cron: string }; watch: boolean }

const SETTINGS: Settings = { name: 'Bakeries', schedule: { cron: '0 6 * * 1' }, watch: false }
const NONE: Edits<Settings> = { values: {}, before: {} }

describe('edits', () => {
  test('hold only the fields that differ', () => {
    expect(editsOf(SETTINGS, NONE, { ...SETTINGS, watch: true })).toEqual({
      values: { watch: true },
      before: { watch: false },
    })
  })

  test('do not hold a field with an equal object', () => {
    expect(editsOf(SETTINGS, NONE, { ...SETTINGS, schedule: { cron: '0 6 * * 1' } })).toEqual(NONE)
  })

  test('end when the user puts the old value back', () => {
    const edits = editsOf(SETTINGS, NONE, { ...SETTINGS, name: 'Bakers' })
    expect(editsOf(SETTINGS, edits, SETTINGS)).toEqual(NONE)
  })

  test('keep what was before when somebody else changes the field, too', () => {
    const edits = editsOf(SETTINGS, NONE, { ...SETTINGS, name: 'Mine' })
    const latest = { ...SETTINGS, name: 'Theirs' }
    expect(editsOf(latest, edits, { ...latest, name: 'Mine again' }).before).toEqual({ name: 'Bakeries' })
  })

  test('lie over the latest settings', () => {
    const edits = editsOf(SETTINGS, NONE, { ...SETTINGS, watch: true })
    const latest = { ...SETTINGS, schedule: { cron: '0 7 * * *' } }
    expect(withEdits(latest, edits)).toEqual({ ...latest, watch: true })
  })
})

describe('a conflict', () => {
  const edits = editsOf(SETTINGS, NONE, { ...SETTINGS, name: 'Mine' })

  test('is a field that both changed', () => {
    expect(conflictsOf({ ...SETTINGS, name: 'Theirs' }, edits)).toEqual(['name'])
  })

  test('is no field that only others changed', () => {
    expect(conflictsOf({ ...SETTINGS, watch: true }, edits)).toEqual([])
  })

  test('is no field that both changed to the same', () => {
    expect(conflictsOf({ ...SETTINGS, name: 'Mine' }, edits)).toEqual([])
  })
})

describe('a draft', () => {
  afterEach(cleanup)

  test('follows the settings while nothing is touched', () => {
    const hook = renderHook(useDraft<Settings>, { initialProps: SETTINGS })
    hook.rerender({ ...SETTINGS, name: 'Theirs' })
    expect(hook.result.current).toMatchObject({ draft: { name: 'Theirs' }, isTouched: false, conflicts: [] })
  })

  test('keeps what the user entered when the settings are read again', () => {
    const hook = renderHook(useDraft<Settings>, { initialProps: SETTINGS })
    act(() => hook.result.current.change({ ...SETTINGS, watch: true }))
    hook.rerender({ ...SETTINGS, schedule: { cron: '0 7 * * *' } })
    expect(hook.result.current.draft).toEqual({ name: 'Bakeries', schedule: { cron: '0 7 * * *' }, watch: true })
  })

  test('names the fields that somebody else changed, until the user drops their own', () => {
    const hook = renderHook(useDraft<Settings>, { initialProps: SETTINGS })
    act(() => hook.result.current.change({ ...SETTINGS, name: 'Mine' }))
    hook.rerender({ ...SETTINGS, name: 'Theirs' })
    expect(hook.result.current.conflicts).toEqual(['name'])
    act(() => hook.result.current.reset())
    expect(hook.result.current).toMatchObject({ draft: { name: 'Theirs' }, isTouched: false, conflicts: [] })
  })
})
