import { textSchema } from '@placefleet/shared/text'
import { z } from 'zod'
import { DISABLED_REASONS, HEALTH_STATES, type WebhookDocument } from './documents.ts'

const name = textSchema({ min: 1, max: 100 }).describe('what it is for')
const url = textSchema({ min: 1, max: 2_048 }).describe('an https URL at a public address, without credentials')
const timestamp = z.iso.datetime()

export const CreateWebhookRequest = z.strictObject({ name, url }).meta({
  id: 'CreateWebhookRequest',
  description: 'Who is to be told of the ends of jobs.',
  examples: [{ name: 'Our CRM', url: 'https://example.com/hooks/jobs' }],
})
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>

/** What is absent stays as it is. */
export const ChangeWebhookRequest = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    reenable: z.boolean().optional().describe('true takes a disabled webhook into service again'),
  })
  .meta({
    id: 'ChangeWebhookRequest',
    description: 'What is to change; what is absent stays as it is.',
    examples: [{ reenable: true }],
  })
export type ChangeWebhookRequest = z.infer<typeof ChangeWebhookRequest>

/** A webhook as its owner sees it: the secret is never in it. */
export const Webhook = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    verified_at: timestamp.optional().describe('when the first delivery to this URL succeeded'),
    created_at: timestamp,
    updated_at: timestamp,
    health_state: z.enum(HEALTH_STATES),
    consecutive_failures: z.int().min(0).describe('deliveries in a row that used up all their attempts'),
    disabled_at: timestamp.optional(),
    disabled_reason: z.enum(DISABLED_REASONS).optional(),
    revoked_at: timestamp.optional().describe('absent while it is active'),
  })
  .meta({
    id: 'Webhook',
    description: 'A URL that is told of the ends of jobs.',
    examples: [
      {
        id: '7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa',
        name: 'Our CRM',
        url: 'https://example.com/hooks/jobs',
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
        health_state: 'healthy',
        consecutive_failures: 0,
      },
    ],
  })
export type Webhook = z.infer<typeof Webhook>

export const NewWebhook = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    secret: z.string().describe('deliveries are signed with it; shown this one time'),
  })
  .meta({
    id: 'NewWebhook',
    description: 'A webhook with its secret, shown this one time.',
    examples: [
      {
        id: '7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa',
        name: 'Our CRM',
        url: 'https://example.com/hooks/jobs',
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      },
    ],
  })

/** A webhook as the API shows it. */
export function presentWebhook(webhook: WebhookDocument): Webhook {
  const { _id: id, name, url, health_state, consecutive_failures, disabled_reason } = webhook
  return {
    id,
    name,
    url,
    health_state,
    consecutive_failures,
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
    verified_at: webhook.verified_at?.toISOString(),
    disabled_at: webhook.disabled_at?.toISOString(),
    disabled_reason,
    revoked_at: webhook.revoked_at?.toISOString(),
  }
}
