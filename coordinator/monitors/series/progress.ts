import type { MicroCredits } from '../../billing/cost.ts'
import type { TotalEstimate } from '../../coverage/estimate-total.ts'
import type { SeriesEnd } from './next-job.ts'

/** The progress of a series, as its run shows it. */
export type SeriesProgress = {
  /** Its ended jobs, in order. */
  jobs: string[]
  found: number
  spent: MicroCredits
  ended?: SeriesEnd
  estimate?: TotalEstimate
}

/** Returns the progress of a series. */
export const progressOf = ({ jobs, found, spent, ended, estimate }: SeriesProgress): SeriesProgress => ({
  jobs,
  found,
  spent,
  ...(ended && { ended }),
  ...(estimate && { estimate }),
})
