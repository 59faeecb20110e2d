import type { AgentRegistry } from './agents.ts'

/** How many tasks the fleet can run at once, as far as it is known: looked up now and then, not for every task. */
export type FleetSize = { slots(): number; refresh(): Promise<void> }

/** A fleet of no slots until it is looked up. */
export function createFleetSize(agents: AgentRegistry): FleetSize {
  let slots = 0
  return {
    slots: () => slots,
    refresh: async () => {
      slots = await agents.slots()
    },
  }
}
