import type { Outcome } from '@placefleet/shared/outcome'

/**
 * What an answer means for its exit, its identity, its question and its task. Each kind of answer has one row, and every
 * decision that depends on the kind reads it here.
 */
export type Row = {
  /**
   * What the answer does to the pace of its exit. `faster`: it is one of the answers that earn a shorter gap, forgive a
   * refusal and end a rest. `slower`: it counts among the last ten, of which more than two lengthen the gap.
   */
  readonly pace: 'faster' | 'slower' | 'same'
  /** Why the exit rests. `unknown`: only after several in a row. `failed`: only a proxy does. */
  readonly rest: 'none' | 'blocked' | 'consent' | 'failed' | 'unknown'
  /** Whether the exit goes on with the same cookies. New ones come only together with a rest. */
  readonly identity: 'kept' | 'ends'
  /**
   * Where the question is asked next. `climbs`: on the next rung. `to_chromium`: in Chromium, and for a day only there.
   * `leaves`: on another exit, on no rung of this one. `ends`: nowhere.
   */
  readonly rung: 'stays' | 'climbs' | 'to_chromium' | 'leaves' | 'ends'
  /** How often a request is sent at most while its answers are such. */
  readonly tries: number
  /** Whether another request of the same exit may bring the same data: the site served the exit. */
  readonly elsewhere: boolean
  /** Whether payloads are requested although the page for the cookies was answered so. */
  readonly withoutCookies: boolean
  /** What a place becomes whose last answer is such. `later`: it is collected at the end of the task. */
  readonly place: 'stored' | 'later' | 'gone'
  /**
   * What becomes of the task. `waits`: it goes on later, without a lost attempt. `ends_in_a_row`: the site is down when
   * several places in a row are answered so.
   */
  readonly task: 'goes_on' | 'waits' | 'ends' | 'ends_in_a_row'
  /** What is counted. Undefined when the site gave data, or was not asked. */
  readonly outcome: Outcome | undefined
  readonly log: 'debug' | 'info' | 'warn'
}

const SERVED = { rest: 'none', identity: 'kept', rung: 'stays', tries: 1, place: 'stored', task: 'goes_on' } as const
const GOOD = { ...SERVED, elsewhere: false, withoutCookies: true, outcome: undefined, log: 'debug' } as const
const LATER = { identity: 'kept', rung: 'climbs', place: 'later', log: 'debug' } as const
const MISSED = { ...LATER, pace: 'same', rest: 'none', tries: 1, elsewhere: true, withoutCookies: true } as const
const REFUSED = {
  pace: 'same',
  identity: 'ends',
  rung: 'leaves',
  tries: 1,
  elsewhere: false,
  withoutCookies: false,
  place: 'later',
  task: 'waits',
  log: 'debug',
} as const
const SILENT = {
  ...LATER,
  pace: 'same',
  rest: 'failed',
  rung: 'leaves',
  elsewhere: false,
  withoutCookies: false,
} as const

const rows = {
  /** A parsed payload or page. */
  whole: { ...GOOD, pace: 'faster' },
  /** A parsed payload that lacks parts which such places have. */
  trimmed: { ...GOOD, pace: 'slower' },
  /** Nothing, where nothing proves that there is nothing. A control question decides. */
  doubtful_empty: { ...GOOD, pace: 'same' },
  /** Chromium cannot be started here, and the site was not asked. */
  agent_failed: { ...MISSED, rung: 'ends', elsewhere: false, withoutCookies: false, task: 'ends', outcome: undefined },
  /** The captcha, or a status that means it: the site refuses the exit for a while. */
  exit_refused: { ...REFUSED, rest: 'blocked', outcome: 'blocked' },
  /** The consent form, also after it was answered. */
  consent: { ...REFUSED, rest: 'consent', outcome: 'consent' },
  /** The page for clients without scripts, where no script ran: this door wants a browser. */
  needs_scripts: { ...MISSED, rung: 'to_chromium', elsewhere: false, task: 'waits', outcome: 'blocked', log: 'info' },
  /** The site refuses this kind of request to every exit, as review lists in September 2026. */
  request_refused: { ...MISSED, withoutCookies: false, task: 'goes_on', outcome: 'blocked' },
  /** An error of the site. */
  unavailable: { ...MISSED, tries: 3, task: 'ends_in_a_row', outcome: 'broken' },
  /** A payload with rows, none of which can be read; or the site does not understand the request. */
  layout: { ...MISSED, task: 'goes_on', outcome: 'broken' },
  not_found: { ...MISSED, place: 'gone', task: 'goes_on', outcome: 'broken' },
  /** What nobody knows: it may be a new wall, so it is no good news. */
  unknown: { ...MISSED, pace: 'slower', rest: 'unknown', tries: 2, task: 'goes_on', outcome: 'broken', log: 'warn' },
  timeout: { ...SILENT, tries: 3, task: 'ends_in_a_row', outcome: 'timeout' },
  network: { ...SILENT, tries: 3, task: 'ends_in_a_row', outcome: 'timeout' },
  /** The user's proxy does not work. */
  proxy_failed: { ...SILENT, tries: 1, task: 'ends', outcome: 'timeout' },
} as const satisfies Record<string, Row>

/** What an answer means. The metric `placefleet_agent_answers_total` counts each by its name. */
export type Verdict = keyof typeof rows

/** A verdict on an answer without the requested data. */
export type Fault = Exclude<Verdict, 'whole' | 'trimmed' | 'doubtful_empty'>

/** The table. Faults stand in the order in which a user is told of them, when there are several. */
export const VERDICTS: Readonly<Record<Verdict, Row>> = rows
