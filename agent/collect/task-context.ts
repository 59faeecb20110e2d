import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import type { DriftAlarm } from '../drift/drift-alarm.ts'
import type { Ladder } from '../maps/ladder/ladder.ts'
import type { TaskSessions } from '../maps/session/task-sessions.ts'
import type { HostTurns } from '../website/host-turns.ts'
import type { TaskParameters } from './task.ts'

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
