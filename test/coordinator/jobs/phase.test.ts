import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canMove, type EndStatus, JOB_PHASES, statusOf } from '@placefleet/coordinator/jobs/phase'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { expect, test } from 'vitest'

const README = readFileSync(join(import.meta.dirname, '../../../coordinator/jobs/README.md'), 'utf8')

/** The rows of the table in the README: a phase, and the phases that its last cell names. */
const drawn = README.split('\n').flatMap((line) => {
  const [, phase = '', , , next = ''] = line.split('|')
  const [name] = namesIn(phase)
  return line.startsWith('| `') && name !== undefined ? [[name, namesIn(next)] as const] : []
})

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? [])
}

test('the README draws every phase with the phases that may follow it', () => {
  const allowed = JOB_PHASES.map((phase) => [phase, JOB_PHASES.filter((next) => canMove(phase, next)).toSorted()])
  expect(drawn.map(([phase, next]) => [phase, next.toSorted()])).toEqual(allowed)
})

test.each(['completed', 'failed', 'cancelled'] as const)(
  'a job is shown as %s once it is billed, and not before',
  (end) => {
    const shown = JOB_PHASES.filter((phase) => statusOf(phase, end) === end)
    expect(shown).toEqual(['closing', 'ended', 'deleting', 'deleted'])
  },
)

test('every status that users see comes from a phase', () => {
  const ends: EndStatus[] = ['completed', 'failed', 'cancelled']
  const shown = new Set(JOB_PHASES.flatMap((phase) => ends.map((end) => statusOf(phase, end))))
  expect([...shown].toSorted()).toEqual([...JOB_STATUSES].toSorted())
})

test('a job without a decided end is never shown as ended', () => {
  expect(() => statusOf('closing', undefined)).toThrow('without an end')
})
