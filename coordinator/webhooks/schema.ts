import { textSchema } from '@placefleet/shared/text'
import { JOB_EVENTS, WEBHOOK_EVENTS } from '@placefleet/shared/webhooks/job-event'
import { z } from 'zod'
import type { Answer } from '../http/typed-server.ts'
import { DISABLED_REASONS, HEALTH_STATES, type WebhookDocument } from './documents.ts'

const name = textSchema({ min: 1, max: 100 }).describe('purpose of the webhook')
/** The form that check-url.ts accepts, for the API document. */
const URL_PATTERN = String.raw`^[Hh][Tt][Tt][Pp][Ss]://[^\s\\\u0000-\u001f\u007f-\u009f/?#@]+([/?#][^\s\\\u0000-\u001f\u007f-\u009f]*)?$`
const url = textSchema({ min: 1, max: 2_048 }).meta({
  pattern: URL_PATTERN,
  description: 'an https URL at a public address, without credentials',
})
const event_types = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, 'needs at least one event type')
  .max(WEBHOOK_EVENTS.length)
  .refine((types) => new Set(types).size === types.length, 'names an event type twice')
  .meta({ uniqueItems: true, description: 'the events to send; `monitor.paused`: the service paused a monitor' })
const timestamp = z.iso.datetime()

export const CreateWebhookRequest = z
  .strictObject({
    name,
    url,
    event_types: event_types.optional().describe('the events to send; absent: the three of jobs'),
  })
  .meta({
    id: 'CreateWebhookRequest',
    description: 'A webhook to register.',
    examples: [{ name: 'Our CRM', url: 'https://example.com/hooks/jobs', event_types: ['job.completed'] }],
  })
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>

/** Absent fields stay unchanged. */
export const ChangeWebhookRequest = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    event_types: event_types.optional(),
    reenable: z.boolean().optional().describe('true enables a disabled webhook again'),
  })
  .meta({
    id: 'ChangeWebhookRequest',
    description: 'The fields to change. Absent fields stay unchanged.',
    examples: [{ reenable: true }],
  })
export type ChangeWebhookRequest = z.infer<typeof ChangeWebhookRequest>

/** A webhook without its secret. */
export const Webhook = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    event_types: z.array(z.enum(WEBHOOK_EVENTS)).describe('the events that are sent'),
    verified_at: timestamp.optional().describe('when the first delivery to this URL succeeded'),
    created_at: timestamp,
    updated_at: timestamp,
    health_state: z.enum(HEALTH_STATES),
    consecutive_failures: z.int().min(0).describe('consecutive deliveries that used up all their attempts'),
    disabled_at: timestamp.optional(),
    disabled_reason: z.enum(DISABLED_REASONS).optional(),
    revoked_at: timestamp.optional().describe('absent while the webhook is active'),
  })
  .meta({
    id: 'Webhook',
    description: 'A URL that is notified when a job ends.',
    examples: [
      {
        id: '7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa',
        name: 'Our CRM',
        url: 'https://example.com/hooks/jobs',
        event_types: [...JOB_EVENTS],
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
    secret: z.string().describe('signs the deliveries; shown only once'),
  })
  .meta({
    id: 'NewWebhook',
    description: 'A webhook with its secret, which is shown only once.',
    examples: [
      {
        id: '7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa',
        name: 'Our CRM',
        url: 'https://example.com/hooks/jobs',
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      },
    ],
  })

export const presentWebhook = ({
  _id: id,
  event_types = [...JOB_EVENTS],
  ...webhook
}: WebhookDocument): Answer<Webhook> => ({ ...webhook, id, event_types })
