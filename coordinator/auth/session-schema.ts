import { z } from 'zod'
import { ROLES, type SessionDocument } from '../accounts/documents.ts'
import { endOf } from '../accounts/sessions.ts'
import type { RatePolicy } from '../http/rate-limit.ts'
import type { Answer } from '../http/typed-server.ts'

const SESSION_ID = '5a0c6d1e-8f2b-4c7d-9e3a-1b2c3d4e5f60'

export const CurrentSession = z
  .object({
    user: z.object({ id: z.uuid(), email: z.string(), role: z.enum(ROLES) }),
    expires_at: z.iso.datetime().describe('when the session ends if it is not used before'),
    limits: z.object({
      requests_per_second: z.number().describe('of this session, on average'),
      burst: z.int().describe('requests of this session at once'),
      key_requests_per_second: z.number().describe('of each API key, on average'),
      key_burst: z.int().describe('requests of each API key at once'),
      active_jobs: z.int().describe('jobs of the user at one time'),
    }),
    sells_credits: z.boolean().describe('whether credits can be bought here; otherwise the operator grants them'),
    csrf: z.literal('same-origin').describe('changes must come from a page of this site; no token is needed'),
  })
  .meta({
    id: 'CurrentSession',
    description: 'The session of this browser.',
    examples: [
      {
        user: { id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11', email: 'ada@example.com', role: 'user' },
        expires_at: '2026-03-01T12:00:00.000Z',
        limits: {
          requests_per_second: 5,
          burst: 20,
          key_requests_per_second: 2,
          key_burst: 5,
          active_jobs: 5,
        },
        sells_credits: true,
        csrf: 'same-origin',
      },
    ],
  })

/** One of a user's sessions, with the details that identify its browser. */
export const Session = z
  .object({
    id: z.uuid(),
    current: z.boolean().describe('whether this request uses the session'),
    signed_in_by: z.enum(['link', 'oidc']).describe('a one-time link or the identity provider'),
    user_agent: z.string().optional().describe('the `User-Agent` of the browser'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('when the session ends if it is not used before'),
  })
  .meta({
    id: 'Session',
    description: 'A session of a signed-in browser.',
    examples: [
      {
        id: SESSION_ID,
        current: true,
        signed_in_by: 'link',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        created_at: '2026-03-01T12:00:00.000Z',
        last_used_at: '2026-03-01T12:30:00.000Z',
        expires_at: '2026-03-02T00:30:00.000Z',
      },
    ],
  })

/** The settings behind the limits of a user. */
export type SessionLimits = {
  rate: RatePolicy
  keyRate: { free: RatePolicy; paid: RatePolicy }
  activeJobs: { free: number; paid: number }
}

/** Returns the limits of a session, of the keys and of the jobs of a free or a paying user. */
export function presentLimits(
  { rate, keyRate, activeJobs }: SessionLimits,
  paid: boolean,
): z.infer<typeof CurrentSession>['limits'] {
  const kind = paid ? 'paid' : 'free'
  return {
    requests_per_second: rate.rate,
    burst: rate.burst,
    key_requests_per_second: keyRate[kind].rate,
    key_burst: keyRate[kind].burst,
    active_jobs: activeJobs[kind],
  }
}

/** Returns a session as its user sees it. */
export const presentSession = (session: SessionDocument, current_id: string): Answer<z.infer<typeof Session>> => ({
  ...session,
  id: session._id,
  current: session._id === current_id,
  expires_at: endOf(session),
})
