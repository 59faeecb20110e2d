import { useQuery } from '@tanstack/react-query'
import { answered, api, type Schemas } from '../api/client.ts'

export type Agent = Schemas['Agent']

export const FLEET_KEY = ['fleet']

const EVERY_MS = 5_000

/** All agents of the last week and those enrolled, by name. */
export const useAgents = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'agents'],
    queryFn: async () => (await answered(api.GET('/api/v1/admin/agents'))).agents,
    refetchInterval: EVERY_MS,
  })

/** What is left to do, and who can do it. */
export const useQueue = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'queue'],
    queryFn: () => answered(api.GET('/api/v1/admin/queue')),
    refetchInterval: EVERY_MS,
  })

/** Whether everything works, and why work is idle. */
export const useDiagnosis = () =>
  useQuery({
    queryKey: [...FLEET_KEY, 'doctor'],
    queryFn: () => answered(api.GET('/api/v1/admin/doctor')),
    refetchInterval: 10_000,
  })
