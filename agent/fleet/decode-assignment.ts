import type { Assignment } from '@placefleet/proto/fleet'
import { JobData } from '@placefleet/shared/job'
import { PlaceReference } from '@placefleet/shared/place'
import { z } from 'zod'
import type { Task } from '../collect/task.ts'

const Parameters = JobData.pick({
  language: true,
  depth: true,
  fast_mode: true,
  include_emails: true,
  max_images: true,
  max_reviews: true,
  website_filter: true,
  zoom: true,
  radius: true,
  country: true,
}).extend({ latitude: z.number().optional(), longitude: z.number().optional() })

/**
 * The task an assignment holds.
 * @throws Error when it is of a kind this agent does not know, z.ZodError when a parameter is out of bounds.
 */
export function decodeAssignment(assignment: Assignment): Task {
  return {
    task_id: assignment.task_id,
    job_id: assignment.job_id,
    work: decodeWork(assignment),
    parameters: Parameters.parse(assignment.parameters),
    proxies: assignment.proxies,
    stored_place_keys: assignment.stored_place_keys,
    places_wanted: assignment.places_wanted,
  }
}

function decodeWork({ work }: Assignment): Task['work'] {
  switch (work?.$case) {
    case 'discover':
      return { kind: 'discover', keyword: work.value.keyword }
    case 'collect':
      return { kind: 'collect', references: z.array(PlaceReference).parse(work.value.references) }
    default:
      throw new Error('the assignment is of a kind this agent does not know; update the agent')
  }
}
