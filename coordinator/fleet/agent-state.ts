import { REGISTER_MS } from '@placefleet/shared/protocol'
import type { AgentDocument } from './agents.ts'

/** `silent`: it never said goodbye, and neither did it say anything for a while. */
export type AgentState = 'connected' | 'draining' | 'silent' | 'gone'

/** An agent speaks every `REGISTER_MS`; two may be lost. */
const SILENT_MS = 3 * REGISTER_MS

/** How an agent is at some time, as far as it is known. */
export function agentState(
  agent: Pick<AgentDocument, 'connected' | 'draining' | 'last_seen_at'>,
  now: Date,
): AgentState {
  if (!agent.connected) return 'gone'
  if (now.getTime() - agent.last_seen_at.getTime() > SILENT_MS) return 'silent'
  return agent.draining ? 'draining' : 'connected'
}
