import type { InputReports } from '@placefleet/proto/fleet'
import { InputReport, MISSED_INPUT, type MissedInput } from '@placefleet/shared/named-place'
import { placeKey } from '@placefleet/shared/place-key'
import type { Db } from 'mongodb'
import { reportInputs } from '../tasks/inputs.ts'
import type { TaskReference } from '../tasks/plan.ts'
import { ContractViolation } from './call.ts'

/** The inputs of a task by the keys of their places, as far as these are known. */
export type TaskInputs = Map<string, { reference_key: string; input: string }>

export const taskInputs = (references: readonly TaskReference[]): TaskInputs =>
  new Map(
    references.flatMap(({ place_key: reference_key, found_key = reference_key, input }) =>
      input === undefined ? [] : [[found_key, { reference_key, input }]],
    ),
  )

/**
 * Records what an agent says of the inputs of its task. A key is recorded before its place is stored, so whoever reads
 * the place finds its input. Safe to repeat.
 * @throws ContractViolation when a report is about another place, or breaks the contract.
 */
export async function recordInputs(
  { db }: { db: Db },
  { inputs, job }: { inputs: TaskInputs; job: { _id: string } },
  { inputs: messages }: InputReports,
): Promise<void> {
  const known = new Map([...inputs.values()].map((input) => [input.reference_key, input]))
  if (messages.length > 2 * known.size) throw new ContractViolation('an event with too many inputs')
  const reports = messages.map((message) => {
    const report = InputReport.safeParse(message).data
    const input = known.get(message.reference_key)
    if (!report || !input) throw new ContractViolation('a report about an unknown input')
    const { place_key } = report
    if (place_key !== undefined && placeKey(place_key) !== place_key)
      throw new ContractViolation('an input with a malformed key')
    if (place_key !== undefined) inputs.set(place_key, input)
    return report
  })
  if (reports.length > 0) await reportInputs(db, job._id, reports)
}

/** Returns the reports about those inputs of a task whose places were dropped, by the reason. */
export const missedInputs = (
  { inputs }: { inputs: TaskInputs },
  dropped: Partial<Record<MissedInput, readonly { place_key: string }[]>>,
): InputReport[] =>
  MISSED_INPUT.flatMap((status) =>
    (dropped[status] ?? []).flatMap(({ place_key }) => {
      const input = inputs.get(place_key)
      return input ? [{ reference_key: input.reference_key, status }] : []
    }),
  )
