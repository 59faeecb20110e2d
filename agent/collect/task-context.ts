import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { Logger } from '@placefleet/shared/log'
import type { OutcomeCounts } from '@placefleet/shared/outcome'
import type { Ladder } from '../maps/ladder.ts'
import type { Visitors } from '../maps/visitors.ts'
import type { TaskParameters } from './task.ts'

/** What the parts of one task share. `outcomes` is counted up as it goes. */
export type TaskContext = {
  readonly parameters: TaskParameters
  readonly base: URL
  readonly ladder: Ladder
  readonly visitors: Visitors
  readonly outcomes: OutcomeCounts
  readonly stored: ReadonlySet<string>
  readonly allowHosts: AllowHosts
  readonly signal: AbortSignal
  readonly log: Logger
}
