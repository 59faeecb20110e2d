import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type AgentMetrics = {
  registry: Registry
  /** Counts an answer of the map site by its door and what it means. */
  answered(verdict: string, door: string): void
  /** Counts a payload path of the map site with too little data. */
  drifted(path: string): void
}

/** Gauges of an agent's current state. */
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
  gauge('slots', 'tasks that the agent can run at the same time', () => agent.slots)
  gauge('busy', 'tasks that the agent runs', agent.busy)
  new Gauge({
    name: 'placefleet_agent_resting_exits',
    help: 'addresses and proxies that pause, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      for (const [reason, count] of Object.entries(agent.resting())) this.set({ reason }, count)
    },
  })
  const drift = new Counter({
    name: 'placefleet_agent_drift_alarms_total',
    help: 'times that a payload path of the map site had too little data over a hundred places',
    labelNames: ['path'],
    registers,
  })
  const answers = new Counter({
    name: 'placefleet_agent_answers_total',
    help: 'answers of the map site, and requests without one, by what was asked and what they mean',
    labelNames: ['door', 'verdict'],
    registers,
  })
  return {
    registry,
    answered: (verdict, door) => answers.inc({ verdict, door }),
    drifted: (path) => drift.inc({ path }),
  }
}
