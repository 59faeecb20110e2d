import { z } from 'zod'

/** An agent broke the contract (proto/placefleet/v1/fleet.proto): it sent something that no agent of ours sends. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}

const Id = z.uuid()

/** @throws ContractViolation unless an id that an agent chose is a UUID. */
export function mustBeId(id: string): void {
  if (!Id.safeParse(id).success) throw new ContractViolation('an id that is not a UUID')
}

/** A text of an agent, made safe to show to users: at most 500 characters, no control characters. */
export const printable = (text: string): string => text.slice(0, 500).replaceAll(/\p{Cc}/gu, ' ')
