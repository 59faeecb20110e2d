import { randomUUID } from 'node:crypto'
import type { Job } from '@placefleet/client'
import { reasonOf } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { type JobEventPayload, jobEventPayload } from '@placefleet/shared/webhooks/event-payloads'
import { JOB_EVENTS } from '@placefleet/shared/webhooks/job-event'
import { newSigningSecret } from '@placefleet/shared/webhooks/signature'
import { z } from 'zod'
import { type CliCommand, type CliContext, cliCommand } from '../context.ts'
import { readStored, writeStored } from '../credentials.ts'
import { forward, forwardedLine } from '../webhooks/forward.ts'
import { jobEnds } from '../webhooks/job-ends.ts'

const receiverOptions = {
  forward_to: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .meta(shownAs('url', 'address of the receiver, e.g. http://localhost:3000/hook')),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'must begin with whsec_; pass all of it')
    .optional()
    .meta(shownAs('secret', 'the signing secret; default: one that is generated once and stored')),
}

const JOB_EVENT = z.enum(JOB_EVENTS, `must be one of ${JOB_EVENTS.join(', ')}`)

const listenCommand = cliCommand({
  words: 'webhooks listen',
  about: 'send the end of each of your jobs to a local receiver, signed like a webhook, until Ctrl+C',
  options: z.object({
    ...receiverOptions,
    events: z
      .string()
      .default(JOB_EVENTS.join(','))
      .transform((names) => names.split(','))
      .pipe(z.array(JOB_EVENT))
      .meta(shownAs('names', `only these events, separated by commas: ${JOB_EVENTS.join(', ')}`)),
  }),
  async run(context, { forward_to, events, secret = keptSecret(context) }) {
    const { terminal, asJson, client } = context
    const { out, err } = terminal
    err(`Forwarding to ${forward_to}. The receiver verifies with the secret ${secret}. Ctrl+C stops.\n`)
    const onLost = (error: unknown) => err(`The service does not answer: ${reasonOf(error)}. Retrying.\n`)
    for await (const job of jobEnds(client(), terminal.onInterrupt(), onLost)) {
      const event = eventOf(job)
      if (event === undefined || !events.includes(event.event_type)) continue
      const forwarded = await forward(forward_to, event, secret)
      out(`${asJson ? JSON.stringify(forwarded) : forwardedLine(forwarded)}\n`)
    }
    return undefined
  },
})

const triggerCommand = cliCommand({
  words: 'webhooks trigger',
  about: 'send an event of a made-up job to a local receiver, signed like a webhook',
  argument: 'event',
  options: z.object({ event: JOB_EVENT.meta(shownAs('event', JOB_EVENTS.join(', '))), ...receiverOptions }),
  async run(context, { event, forward_to, secret = keptSecret(context) }) {
    context.terminal.err(`The receiver verifies with the secret ${secret}.\n`)
    const forwarded = await forward(forward_to, exampleOf(event), secret)
    if (!forwarded.ok) throw new Error(`The receiver did not accept it: ${forwardedLine(forwarded)}`)
    return { data: forwarded, text: forwardedLine(forwarded) }
  },
})

export const localWebhookCommands: CliCommand[] = [listenCommand, triggerCommand]

const SECRET_FILE = 'webhook-secret'

/** Returns the stored secret: it is the same in every run, so a receiver is set up only once. */
function keptSecret({ env }: CliContext): string {
  const stored = readStored(env, SECRET_FILE)?.trim()
  if (stored) return stored
  const secret = newSigningSecret()
  writeStored(env, SECRET_FILE, `${secret}\n`)
  return secret
}

/** Returns the event of an ended job; undefined for any other job. */
function eventOf({ id, name, status, result_count, created_at, ended_at }: Job): JobEventPayload | undefined {
  const isFinal = status === 'completed' || status === 'failed' || status === 'cancelled'
  if (!isFinal || ended_at === undefined) return undefined
  return jobEventPayload({ job_id: id, job_name: name, status, result_count, created_at, ended_at })
}

function exampleOf(event: JobEventPayload['event_type']): JobEventPayload {
  const status = ({ 'job.completed': 'completed', 'job.failed': 'failed', 'job.cancelled': 'cancelled' } as const)[
    event
  ]
  const times = { created_at: new Date(Date.now() - 60_000).toISOString(), ended_at: new Date().toISOString() }
  return jobEventPayload({ job_id: randomUUID(), job_name: 'An example', status, result_count: 3, ...times })
}
