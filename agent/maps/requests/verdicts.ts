import type { Outcome } from '@placefleet/shared/outcome'

/**
 * What an answer means for its exit, its question and its task. Each kind of answer has one row, and every decision
 * that depends on the kind reads it here.
 */
export type Row = {
  /** Why the exit rests. `unknown`: only after several in a row. `failed`: only a proxy does. */
  readonly rest: 'none' | 'blocked' | 'consent' | 'failed' | 'unknown'
  /**
   * Who asks next: nobody (`done`), another client (`client`), for a day only Chromium (`scripts`), another exit
   * (`exit`), or nobody on this agent (`stop`). After `client` the site has served the exit, so another request of it
   * may bring the same data.
   */
  readonly next: 'done' | 'client' | 'scripts' | 'exit' | 'stop'
  /** How often a request is sent at most while its answers are such. */
  readonly tries: number
  /**
   * What becomes of the task. `waits`: it goes on later, without a lost attempt. `ends_in_a_row`: the site is down when
   * several places in a row are answered so.
   */
  readonly task: 'goes_on' | 'waits' | 'ends' | 'ends_in_a_row'
  /** What is counted. Undefined when the site gave data, or was not asked. */
  readonly outcome: Outcome | undefined
}

// biome-ignore format: a table
const rows = {
  /** A parsed payload or page. */
  whole:           { rest: 'none',    next: 'done',    tries: 1, task: 'goes_on',       outcome: undefined },
  /** A parsed payload that lacks parts which such places have. It says nothing about the exit. */
  trimmed:         { rest: 'none',    next: 'done',    tries: 1, task: 'goes_on',       outcome: undefined },
  /** An empty answer that may be a hidden refusal. A test search decides. */
  doubtful_empty:  { rest: 'none',    next: 'done',    tries: 1, task: 'goes_on',       outcome: undefined },
  /** Chromium cannot be started here, and the site was not asked. */
  agent_failed:    { rest: 'none',    next: 'stop',    tries: 1, task: 'ends',          outcome: undefined },
  /** The captcha, or a status that means it: the site refuses the exit for a while. */
  exit_refused:    { rest: 'blocked', next: 'exit',    tries: 1, task: 'waits',         outcome: 'blocked' },
  /** The consent form, also after it was answered. */
  consent:         { rest: 'consent', next: 'exit',    tries: 1, task: 'waits',         outcome: 'consent' },
  /** The page for clients without scripts, where no script ran: this door wants a browser. */
  needs_scripts:   { rest: 'none',    next: 'scripts', tries: 1, task: 'waits',         outcome: 'blocked' },
  /** The site refuses this kind of request to every exit, as review lists in September 2026. */
  request_refused: { rest: 'none',    next: 'client',  tries: 1, task: 'goes_on',       outcome: 'blocked' },
  /** An error of the site. */
  unavailable:     { rest: 'none',    next: 'client',  tries: 3, task: 'ends_in_a_row', outcome: 'broken' },
  /** A payload with rows, none of which can be read; or the site does not understand the request. */
  layout:          { rest: 'none',    next: 'client',  tries: 1, task: 'goes_on',       outcome: 'broken' },
  /** A place, or an address of data, that the site does not know. */
  not_found:       { rest: 'none',    next: 'client',  tries: 1, task: 'goes_on',       outcome: 'broken' },
  /** An unrecognised answer. It may be a new wall, so the task waits as it does for a refusal. */
  unknown:         { rest: 'unknown', next: 'client',  tries: 2, task: 'waits',         outcome: 'blocked' },
  /** No answer in time. */
  timeout:         { rest: 'failed',  next: 'exit',    tries: 3, task: 'ends_in_a_row', outcome: 'timeout' },
  /** No connection. */
  network:         { rest: 'failed',  next: 'exit',    tries: 3, task: 'ends_in_a_row', outcome: 'timeout' },
  /** The user's proxy does not work. */
  proxy_failed:    { rest: 'failed',  next: 'exit',    tries: 1, task: 'ends',          outcome: 'timeout' },
} as const satisfies Record<string, Row>

/** What an answer means. The metric `placefleet_agent_answers_total` counts each by its name. */
export type Verdict = keyof typeof rows

/** The verdict on an answer or an error, and what a refusal says. */
export type AnswerVerdict = { readonly verdict: Verdict; readonly retryAfterMs?: number | undefined }

/** A verdict on an answer without the requested data. */
export type Fault = Exclude<Verdict, 'whole' | 'trimmed' | 'doubtful_empty'>

export const VERDICTS: Readonly<Record<Verdict, Row>> = rows

/** What a verdict does to its exit. Only what was parsed earns a shorter gap, forgives a refusal and ends a rest. */
export const effectOf = (verdict: Verdict) =>
  ({ pace: verdict === 'whole' ? 'faster' : 'same', rest: VERDICTS[verdict].rest }) as const

/** Whether the site refused the exit. Its identity ends, and the request can be sent again later. */
export const isRefusal = (verdict: Verdict): boolean => ['blocked', 'consent'].includes(VERDICTS[verdict].rest)
