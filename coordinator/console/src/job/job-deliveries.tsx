import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import type { Job } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { useAction } from '../parts/use-action.ts'
import { jobTexts } from '../texts/job.ts'
import { useTexts } from '../texts/language.ts'
import { DeliveriesTable } from '../webhooks/deliveries-table.tsx'
import {
  acceptsDeliveries,
  jobDeliveriesQuery,
  retryDelivery,
  useWebhooks,
  WEBHOOKS_KEY,
} from '../webhooks/webhook-queries.ts'

type JobDelivery = Schemas['JobDeliveries']['deliveries'][number]

/** The webhook deliveries of the job's end, with their responses. */
export function JobDeliveries({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const webhooks = useWebhooks()
  const deliveries = useQuery(jobDeliveriesQuery(job))
  const retry = useAction(({ webhook_id, id }: JobDelivery) => retryDelivery(webhook_id, id), WEBHOOKS_KEY)
  if (isActive(job)) return <Empty title={t.noDeliveriesYet} hint={t.noDeliveriesYetHint} />
  const webhookOf = (id: string) => webhooks.data?.find((webhook) => webhook.id === id)
  return (
    <WithData query={deliveries}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <Empty title={t.noDeliveries} hint={t.noDeliveriesHint} />
        ) : (
          <DeliveriesTable<JobDelivery>
            deliveries={deliveries}
            about={({ webhook_id }) => webhookOf(webhook_id)?.name ?? webhook_id}
            canRetry={({ webhook_id }) => {
              const webhook = webhookOf(webhook_id)
              return webhook !== undefined && acceptsDeliveries(webhook)
            }}
            onRetry={(delivery) => retry.mutate(delivery)}
          />
        )
      }
    </WithData>
  )
}
