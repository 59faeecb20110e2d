import { canFail, type Logger } from '@placefleet/shared/log'
import { CONTROL_JOB_ENDED } from '@placefleet/shared/nats'
import { parsedJson } from '@placefleet/shared/text'
import type { NatsConnection } from 'nats'
import { z } from 'zod'
import type { OpenStreams } from './open-streams.ts'

const JobEnded = z.object({ job_id: z.uuid() })

/**
 * Notifies every coordinator, including this one, that a job takes no more places. After a lost message, agents learn
 * it at their next heartbeat.
 */
export function announceJobEnd(nats: NatsConnection, streams: OpenStreams, log: Logger) {
  return (job_id: string): void => {
    streams.stop(job_id, 'job_ended')
    try {
      nats.publish(CONTROL_JOB_ENDED, JSON.stringify({ job_id }))
    } catch (error) {
      log.warn(
        { err: error, job_id },
        'could not notify the other coordinators of the end of a job; their agents learn it at the next heartbeat',
      )
    }
  }
}

/** Stops the streams of jobs that another coordinator ended, until `close` is called. */
export function followJobEnds(nats: NatsConnection, streams: OpenStreams, log: Logger): { close(): void } {
  const subscription = nats.subscribe(CONTROL_JOB_ENDED)
  const follow = async () => {
    for await (const message of subscription) {
      const ended = JobEnded.safeParse(parsedJson(message.string()))
      if (ended.success) streams.stop(ended.data.job_id, 'job_ended')
      else log.warn('dropped a malformed control message')
    }
  }
  void canFail(log, 'following the ends of jobs', follow())
  return { close: () => subscription.unsubscribe() }
}
