import type { JobData } from '@placefleet/shared/job'
import type { PlaceReference } from '@placefleet/shared/place'

/** What a job asks of each of its tasks. `latitude` and `longitude` come both or not at all; `zoom` 0 is unsaid. */
export type TaskParameters = Pick<
  JobData,
  | 'language'
  | 'depth'
  | 'fast_mode'
  | 'include_emails'
  | 'max_images'
  | 'max_reviews'
  | 'website_filter'
  | 'zoom'
  | 'radius'
  | 'country'
> & { readonly latitude?: number | undefined; readonly longitude?: number | undefined }

/** One unit of work: find the places of a keyword, or collect places that were found. */
export type Task = {
  readonly task_id: string
  readonly job_id: string
  readonly work:
    | { readonly kind: 'discover'; readonly keyword: string }
    | { readonly kind: 'collect'; readonly references: readonly PlaceReference[] }
  readonly parameters: TaskParameters
  /** The user's own. When there are any, nothing is fetched without one. */
  readonly proxies: readonly string[]
  /** Already stored; they are skipped. */
  readonly stored_place_keys: readonly string[]
  /** How many more places the job takes. */
  readonly places_wanted: number
}
