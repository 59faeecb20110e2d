import type { Outcome } from '@placefleet/shared/outcome'

/**
 * What an answer means for its exit, its question and its task. Each kind of answer has one row, and every decision
 * that depends on the kind reads it here.
 */
export type Row = {
  /** Whether the answer earns its exit a shorter gap, forgives a refusal and ends a rest. */
  readonly pace: 'faster' | 'same'
  /** Why the exit rests. `unknown`: only after several in a row. `failed`: only a proxy does. */
  readonly rest: 'none' | 'blocked' | 'consent' | 'failed' | 'unknown'
  /**
   * Who asks next: nobody (`done`), another client (`client`), for a day only Chromium (`scripts`), another exit
   * (`exit`), or nobody on this agent (`stop`).
   */
  readonly next: 'done' | 'client' | 'scripts' | 'exit' | 'stop'
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

// biome-ignore format: a table
const rows = {
  /** A parsed payload or page. */
  whole:           { pace: 'faster', rest: 'none',    next: 'done',    tries: 1, elsewhere: false, withoutCookies: true,  place: 'stored', task: 'goes_on',       outcome: undefined, log: 'debug' },
  /** A parsed payload that lacks parts which such places have. It says nothing about the exit. */
  trimmed:         { pace: 'same',   rest: 'none',    next: 'done',    tries: 1, elsewhere: false, withoutCookies: true,  place: 'stored', task: 'goes_on',       outcome: undefined, log: 'debug' },
  /** An empty answer that may be a hidden refusal. A test search decides. */
  doubtful_empty:  { pace: 'same',   rest: 'none',    next: 'done',    tries: 1, elsewhere: false, withoutCookies: true,  place: 'stored', task: 'goes_on',       outcome: undefined, log: 'debug' },
  /** Chromium cannot be started here, and the site was not asked. */
  agent_failed:    { pace: 'same',   rest: 'none',    next: 'stop',    tries: 1, elsewhere: false, withoutCookies: false, place: 'later',  task: 'ends',          outcome: undefined, log: 'debug' },
  /** The captcha, or a status that means it: the site refuses the exit for a while. */
  exit_refused:    { pace: 'same',   rest: 'blocked', next: 'exit',    tries: 1, elsewhere: false, withoutCookies: false, place: 'later',  task: 'waits',         outcome: 'blocked', log: 'debug' },
  /** The consent form, also after it was answered. */
  consent:         { pace: 'same',   rest: 'consent', next: 'exit',    tries: 1, elsewhere: false, withoutCookies: false, place: 'later',  task: 'waits',         outcome: 'consent', log: 'debug' },
  /** The page for clients without scripts, where no script ran: this door wants a browser. */
  needs_scripts:   { pace: 'same',   rest: 'none',    next: 'scripts', tries: 1, elsewhere: false, withoutCookies: true,  place: 'later',  task: 'waits',         outcome: 'blocked', log: 'info' },
  /** The site refuses this kind of request to every exit, as review lists in September 2026. */
  request_refused: { pace: 'same',   rest: 'none',    next: 'client',  tries: 1, elsewhere: true,  withoutCookies: false, place: 'later',  task: 'goes_on',       outcome: 'blocked', log: 'debug' },
  /** An error of the site. */
  unavailable:     { pace: 'same',   rest: 'none',    next: 'client',  tries: 3, elsewhere: true,  withoutCookies: true,  place: 'later',  task: 'ends_in_a_row', outcome: 'broken',  log: 'debug' },
  /** A payload with rows, none of which can be read; or the site does not understand the request. */
  layout:          { pace: 'same',   rest: 'none',    next: 'client',  tries: 1, elsewhere: true,  withoutCookies: true,  place: 'later',  task: 'goes_on',       outcome: 'broken',  log: 'debug' },
  /** A place, or an address of data, that the site does not know. */
  not_found:       { pace: 'same',   rest: 'none',    next: 'client',  tries: 1, elsewhere: true,  withoutCookies: true,  place: 'gone',   task: 'goes_on',       outcome: 'broken',  log: 'debug' },
  /** An unrecognised answer. It may be a new wall, so the task waits as it does for a refusal. */
  unknown:         { pace: 'same',   rest: 'unknown', next: 'client',  tries: 2, elsewhere: true,  withoutCookies: true,  place: 'later',  task: 'waits',         outcome: 'blocked', log: 'warn' },
  /** No answer in time. */
  timeout:         { pace: 'same',   rest: 'failed',  next: 'exit',    tries: 3, elsewhere: false, withoutCookies: false, place: 'later',  task: 'ends_in_a_row', outcome: 'timeout', log: 'debug' },
  /** No connection. */
  network:         { pace: 'same',   rest: 'failed',  next: 'exit',    tries: 3, elsewhere: false, withoutCookies: false, place: 'later',  task: 'ends_in_a_row', outcome: 'timeout', log: 'debug' },
  /** The user's proxy does not work. */
  proxy_failed:    { pace: 'same',   rest: 'failed',  next: 'exit',    tries: 1, elsewhere: false, withoutCookies: false, place: 'later',  task: 'ends',          outcome: 'timeout', log: 'debug' },
} as const satisfies Record<string, Row>

/** What an answer means. The metric `placefleet_agent_answers_total` counts each by its name. */
export type Verdict = keyof typeof rows

/** A verdict on an answer without the requested data. */
export type Fault = Exclude<Verdict, 'whole' | 'trimmed' | 'doubtful_empty'>

export const VERDICTS: Readonly<Record<Verdict, Row>> = rows

/** Whether the site refused the exit. Its identity ends, and the request can be sent again later. */
export const isRefusal = (verdict: Verdict): boolean => ['blocked', 'consent'].includes(VERDICTS[verdict].rest)
