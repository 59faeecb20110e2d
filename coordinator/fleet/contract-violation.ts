/** An agent sent something that no agent of ours sends. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}
