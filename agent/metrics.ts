import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** The figures of an agent, and what counts them. */
export type AgentMetrics = {
  registry: Registry
  /** A known path of the map site resolves no more. */
  drifted(path: string): void
}

/** Figures over what an agent says of itself. */
export function createAgentMetrics(agent: {
  slots: number
  busy(): number
  resting(): Record<string, number>
}): AgentMetrics {
  const registers = [new Registry()]
  const [registry = new Registry()] = registers
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `placefleet_agent_${name}`,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('slots', 'tasks the agent takes at once', () => agent.slots)
  gauge('busy', 'tasks it has', agent.busy)
  new Gauge({
    name: 'placefleet_agent_resting_exits',
    help: 'exits (a proxy, or none) that the agent asks nothing for now, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      for (const [reason, count] of Object.entries(agent.resting())) this.set({ reason }, count)
    },
  })
  const drift = new Counter({
    name: 'placefleet_agent_drift_alarms_total',
    help: 'times a known path of the map site gave less than it must over a hundred places',
    labelNames: ['path'],
    registers,
  })
  return { registry, drifted: (path) => drift.inc({ path }) }
}
