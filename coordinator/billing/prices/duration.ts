// How long a job takes: the requests to the map site that it needs, divided by the turns that its exits have. The requests
// per kind of work were counted with the simulated map site; agent/maps/README.md has the table. Website visits run in
// parallel and are usually not the bottleneck.

/** The requests a minute of one exit: now, and at most. */
type Pace = { first: number; most: number }

/** The pace of one exit, and the seconds until the end of its rest. */
export type ExitPace = Pace & { rest: number }

/** A new exit with the default of agents (`EXIT_RATE`). */
export const USUAL_PACE: ExitPace = { first: 20, most: 60, rest: 0 }

/** The work of a job, of which the requests are counted. */
export type Work = {
  keywords: number
  /** Places that the job names: they are collected without a search, also in fast mode. */
  named: number
  /** Places that all searches list. */
  listed: number
  /** Places that are collected. */
  places: number
  /** Reviews and images of each place. */
  reviews: number
  images: number
  fast_mode: boolean
  /** Whether the websites of the places are visited. */
  websites: boolean
  /** Whether a whole area is searched, not only one list for each keyword. */
  has_area: boolean
}

/** Places on one page of a search, and requests after the last one with a new place. */
const PLACES_A_PAGE = 20
const PAGES_AFTER_LAST = 3
/** In an area each list that was cut is searched again in quarters: 1,900 requests for 5,089 places. */
const SEARCHES_A_PLACE_IN_AREA = 1_900 / 5_089
/** The page of a place shows so many reviews and images. More come from lists. */
const REVIEWS_SHOWN = 8
const REVIEWS_A_LIST = 60
const IMAGES_SHOWN = 10
const IMAGES_A_LIST = 20
/** How long the visit to a website takes, and how many an agent makes at once: three places of each of four tasks. */
const VISIT_SECONDS = { low: 1, likely: 4, high: 15 }
const VISITS_AT_ONCE = 12
/**
 * A task collects ten places through one exit at a time. Where there are many more places than slots, it collects more.
 */
const PLACES_A_TASK = 10
/** After so many whole answers an exit gets faster, by this factor (shared/exits/rules.ts). */
const REQUESTS_A_STEP = 20
const FASTER = 0.9

/** Returns the requests to the map site that some work needs through this many exits. */
export function requestsOf(work: Work, exits: number): number {
  const { keywords, named, listed, places, reviews, images, fast_mode, has_area } = work
  const lists = listed / PLACES_A_PAGE + keywords * PAGES_AFTER_LAST
  const searches = has_area ? Math.max(lists, listed * SEARCHES_A_PLACE_IN_AREA) : lists
  const payloads = fast_mode ? Math.min(named, places) : places
  const reviewLists = reviews > REVIEWS_SHOWN ? places * Math.ceil(reviews / REVIEWS_A_LIST) : 0
  const imageLists = images > IMAGES_SHOWN ? (places * images) / IMAGES_A_LIST : 0
  return Math.ceil(exits + searches + payloads + reviewLists + imageLists) // each exit opens the front page once
}

/** Returns how many of the exits some work can use at once. */
export const usedExits = ({ keywords, named, places, fast_mode }: Work, exits: number): number =>
  Math.max(1, Math.min(exits, Math.max(keywords, Math.ceil((fast_mode ? named : places) / PLACES_A_TASK))))

/**
 * Returns the seconds that one exit needs for some requests in a row, when all answers are whole: the gap between two
 * is 60 / `first` seconds, and 0.9 times as long after each 20 answers, until it is 60 / `most`. 400 requests at 20:60
 * take 592 s: 20 × 3 s + 20 × 2.7 s + … + 20 × 1.05 s, then 1 s each.
 */
export function secondsOf(requests: number, { first, most }: Pace): number {
  let gap = 60 / first
  let seconds = 0
  let left = requests
  while (left > 0 && gap > 60 / most) {
    const step = Math.min(left, REQUESTS_A_STEP)
    seconds += step * gap
    left -= step
    gap *= FASTER
  }
  return seconds + left * (60 / most)
}

/** The least, likely and largest work of a job. */
type WorkRange = { low: Work; likely: Work; high: Work }

/** How long a job takes in seconds, and what this assumes. */
export type Duration = {
  seconds: { low: number; likely: number; high: number }
  requests: number
  exits: number
}

/**
 * Returns how long a job takes through some exits, at least one. Low: the least work, and exits that have their highest
 * pace. Likely: exits as they are now. High: the most work, and exits that never get faster. An exit that rests counts
 * from the end of its rest, if waiting for it is worth while. Blocks are not predicted.
 */
export function durationOf({ low, likely, high }: WorkRange, exits: readonly [ExitPace, ...ExitPace[]]): Duration {
  return {
    seconds: {
      low: rounded(secondsThrough(low, exits, VISIT_SECONDS.low, ({ most }) => ({ first: most, most }))),
      likely: rounded(secondsThrough(likely, exits, VISIT_SECONDS.likely, (pace) => pace)),
      high: rounded(secondsThrough(high, exits, VISIT_SECONDS.high, ({ first }) => ({ first, most: first }))),
    },
    requests: requestsOf(likely, usedExits(likely, exits.length)),
    exits: exits.length,
  }
}

const rounded = (seconds: number): number => Math.max(1, Math.round(seconds))

/** The first exits share the requests equally: as many as make the job shortest, those that rest longest left out. */
function secondsThrough(
  work: Work,
  exits: readonly ExitPace[],
  visitSeconds: number,
  paced: (pace: ExitPace) => Pace,
): number {
  const soonest = exits.toSorted((a, b) => a.rest - b.rest).slice(0, usedExits(work, exits.length))
  const shared = soonest.map((_, last) => {
    const share = requestsOf(work, last + 1) / (last + 1)
    return Math.max(...soonest.slice(0, last + 1).map((exit) => exit.rest + secondsOf(share, paced(exit))))
  })
  const visits = work.websites && !work.fast_mode ? (work.places * visitSeconds) / VISITS_AT_ONCE : 0
  return Math.max(Math.min(...shared), visits)
}
