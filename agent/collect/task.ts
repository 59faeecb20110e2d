import type { Cell } from '@placefleet/shared/cell'
import type { SearchedCell } from '@placefleet/shared/coverage'
import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { InputReport } from '@placefleet/shared/named-place'
import type { LimitedReason, OutcomeCounts } from '@placefleet/shared/outcome'
import type { Place, PlaceReference } from '@placefleet/shared/place'
import type { JobFilter } from '@placefleet/shared/place-filter'
import type { TaskParameters, TaskReference } from '@placefleet/shared/protocol'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Drift } from '../drift/drift.ts'
import type { AskContext } from '../maps/requests/attempt.ts'
import type { CrawlLimits, InTurn } from '../website/crawl.ts'
import type { KnownCrawls } from '../website/known-crawls.ts'
import type { MailServers } from '../website/mail-servers.ts'

/**
 * One unit of work: find the places of a keyword, or collect listed places. With `audit` the task searches only these
 * cells, in other ways; none stands for a search without an area.
 */
export type Task = {
  readonly task_id: string
  readonly job_id: string
  readonly work:
    | {
        readonly kind: 'discover'
        readonly keyword: string
        readonly audit?: readonly Cell[]
        /** Set for a job that exhausts its area: the cells that the task searches, and does not divide. */
        readonly cells?: readonly Cell[]
      }
    | { readonly kind: 'collect'; readonly references: readonly TaskReference[] }
  readonly parameters: TaskParameters
  /** The user's own proxies. When there are any, nothing is fetched without one. */
  readonly proxies: readonly string[]
  readonly stored_place_keys: readonly string[]
  /** How many more places the job takes. */
  readonly places_wanted: number
}

/** Receives the places and references of a task. Both calls wait while too much is unacknowledged (backpressure). */
export type Sink = {
  references(references: PlaceReference[]): Promise<void>
  /** @param visits the outcomes of the task's visits to websites so far. They travel with the place. */
  place(place: Place, visits?: WebsiteVisits): Promise<void>
  /** Records the searches of cells. They travel with the next event. */
  cells(searched: SearchedCell[]): void
  /** Says what became of a place that the user named. It travels with the next event, and before the place. */
  input(report: InputReport): void
}

/** The shared state of one task. Its parts add to `outcomes`. */
export type TaskContext = AskContext & {
  readonly parameters: TaskParameters
  readonly filter: JobFilter
  readonly base: URL
  /** Whether the last start of Chromium succeeded, or none was needed yet. */
  readonly chromiumStarts: () => boolean
  readonly outcomes: OutcomeCounts
  /** Set with the first place that lacks parts because Chromium could not start. */
  limited_reason: LimitedReason | undefined
  readonly website_visits: WebsiteVisits
  readonly websites: {
    readonly obeyRobots: boolean
    /** Absent: the crawl's own. */
    readonly limits: CrawlLimits | undefined
    readonly inTurn: InTurn
    readonly crawls: KnownCrawls
    readonly mailServers: MailServers
  }
  readonly stored: ReadonlySet<string>
  /** How many more places the job takes. */
  readonly places_wanted: number
  readonly allowHosts: AllowHosts
  readonly drift: Drift
}
