import type { KnownAgent } from '@placefleet/coordinator/fleet/agents'

/** What a coordinator knows of an agent with the shared token that has an exit of this name. */
export const knownAgent = (exit = 'home', name?: string): KnownAgent => ({
  name,
  exit: { id: `exit of ${exit}`, kind: 'direct', name: exit, by: 'name' },
})
