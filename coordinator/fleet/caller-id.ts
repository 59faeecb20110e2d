import { z } from 'zod'
import { processId } from '../tasks/lease.ts'
import type { Caller } from './admission.ts'
import { ContractViolation } from './contract-violation.ts'

const Id = z.uuid()

/** @throws ContractViolation unless an id that an agent chose is a UUID. */
export function mustBeId(id: string): void {
  if (!Id.safeParse(id).success) throw new ContractViolation('an id that is no UUID')
}

/**
 * The id that a process chose for itself, below the name that its token proves.
 * @throws ContractViolation when it is no UUID.
 */
export function idOf({ enrolment }: Caller, agent_id: string): string {
  mustBeId(agent_id)
  return enrolment === undefined ? agent_id : processId(enrolment.name, agent_id)
}
