import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { JobData } from '@placefleet/shared/job'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import type { Place, PlaceReference } from '@placefleet/shared/place'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { DriftAlarm } from '../drift/drift-alarm.ts'
import type { Ladder } from '../maps/ladder/ladder.ts'
import type { TaskSessions } from '../maps/session/task-sessions.ts'
import type { HostTurns } from '../website/fetch-page.ts'

/** The options of a job for each of its tasks. `latitude` and `longitude` are both set or both absent. `zoom` 0 is unset. */
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
  /** The user's own proxies. When there are any, nothing is fetched without one. */
  readonly proxies: readonly string[]
  /** Places that are stored already. The task skips them. */
  readonly stored_place_keys: readonly string[]
  /** How many more places the job takes. */
  readonly places_wanted: number
}

/** Receives what a task finds. Both calls wait while too much is unacknowledged: this is the backpressure. */
export type Sink = {
  references(found: PlaceReference[]): Promise<void>
  place(place: Place): Promise<void>
}

/** What the parts of one task share. `outcomes` is counted up as it goes. */
export type TaskContext = {
  readonly parameters: TaskParameters
  readonly base: URL
  readonly ladder: Ladder
  readonly sessions: TaskSessions
  /** Whether Chromium may be used at all. */
  readonly mayBrowse: boolean
  readonly outcomes: OutcomeCounts
  /** Counted up as websites are visited. */
  readonly website_visits: WebsiteVisits
  /** How business websites are visited. */
  readonly websites: { readonly obeyRobots: boolean; readonly turns: HostTurns }
  readonly stored: ReadonlySet<string>
  /** How many more places the job takes. */
  readonly places_wanted: number
  readonly allowHosts: AllowHosts
  readonly drift: DriftAlarm
  readonly signal: AbortSignal
  readonly log: Logger
}
