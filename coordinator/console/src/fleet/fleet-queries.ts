import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'

export type Agent = Schemas['Agent']
export type Exit = Schemas['Exit']

export const FLEET_KEY = ['fleet']

const EVERY_MS = 5_000

/** Reads all agents of the last week and all enrolled agents, by name. */
export const useAgents = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'agents'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/agents'))).agents,
    refetchInterval: EVERY_MS,
  })

/** Reads the exits of the fleet, resting ones first. */
export const useExits = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'exits'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/exits'))).exits,
    refetchInterval: EVERY_MS,
  })

/** Reads the backlog and the fleet that works on it. */
export const useQueue = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'queue'],
    queryFn: () => unwrap(api.GET('/api/v1/admin/queue')),
    refetchInterval: EVERY_MS,
  })

/** Reads the diagnosis: whether everything works, and why work is idle. */
export const useDiagnosis = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'doctor'],
    queryFn: () => unwrap(api.GET('/api/v1/admin/doctor')),
    refetchInterval: 10_000,
  })

/** Reads the answers of the map site that no agent understood, latest first. */
export const useUnknownAnswers = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'unknown-answers'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/unknown-answers'))).answers,
    refetchInterval: 60_000,
  })

export type Work = Schemas['FleetActivity']['hours'][number]

/** The work of the fleet in the hours of the last week. */
export const fleetActivityQuery = queryOptions({
  queryKey: [...FLEET_KEY, 'activity'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/v1/admin/activity', { signal })),
  refetchInterval: 60_000,
})

/** The last hour of an agent process, and its latest tasks. */
export const agentActivityQuery = (id: string) =>
  queryOptions({
    queryKey: [...FLEET_KEY, 'activity', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/admin/agents/activity', { params: { query: { id } }, signal })),
    refetchInterval: EVERY_MS,
  })

/** The reasons why an agent holds no task. */
type IdleReason = 'draining' | 'silent' | 'resting' | 'nothing_waits' | 'about_to_claim'

/**
 * Returns why an agent holds no task; undefined when it holds one or is not connected.
 * @param waiting how many tasks wait for an agent; undefined while unknown.
 */
export function whyIdle(agent: Agent, waiting: number | undefined): IdleReason | undefined {
  const { state, running, resting = [] } = agent
  if (running > 0) return undefined
  if (state === 'draining' || state === 'silent') return state
  if (state !== 'connected' || waiting === undefined) return undefined
  if (resting.some(({ count }) => count > 0)) return 'resting'
  return waiting === 0 ? 'nothing_waits' : 'about_to_claim'
}
