import { type AgentDocument, SILENT_MS } from './agents.ts'

/** `silent`: it never said goodbye, and neither did it say anything for a while. */
export type AgentState = 'connected' | 'draining' | 'silent' | 'gone'

/** How an agent is at some time, as far as it is known. */
export function agentState(
  agent: Pick<AgentDocument, 'connected' | 'draining' | 'last_seen_at'>,
  now: Date,
): AgentState {
  if (!agent.connected) return 'gone'
  if (now.getTime() - agent.last_seen_at.getTime() > SILENT_MS) return 'silent'
  return agent.draining ? 'draining' : 'connected'
}
