import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { RegisterRequest, RegisterResponse } from '@placefleet/proto/fleet'
import { canFail, type Logger } from '@placefleet/shared/log'
import { PROTOCOL } from '@placefleet/shared/protocol'
import type { AgentRegistry } from './agents.ts'

export type RegisterParts = { log: Logger; agents: AgentRegistry; version: string }

/** Keeps an agent's entry in the registry as long as its registration stream is open. */
export async function register(
  { log, agents, version }: RegisterParts,
  call: ServerDuplexStream<RegisterRequest, RegisterResponse>,
): Promise<void> {
  let agent_id: string | undefined
  try {
    for await (const description of call as AsyncIterable<RegisterRequest>) {
      await agents.record(description)
      if (agent_id === undefined) log.info({ agent_id: description.agent_id, name: description.name }, 'agent joined')
      agent_id = description.agent_id
      call.write({ coordinator_version: version, protocol: PROTOCOL, drain: false })
    }
    call.end()
  } finally {
    if (agent_id !== undefined) await canFail(log, 'recording that an agent left', agents.disconnected(agent_id))
  }
}
