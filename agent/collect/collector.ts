import type { Lookup } from '@placefleet/shared/egress/resolve'
import type { AllowHosts } from '@placefleet/shared/egress/target'
import type { Logger } from '@placefleet/shared/log'
import { type FailureCode, type LimitedReason, noOutcomes, type OutcomeCounts } from '@placefleet/shared/outcome'
import { filterOf } from '@placefleet/shared/place-filter'
import { describeProxyFailures } from '@placefleet/shared/proxy-failures'
import { abortable, monotonicNow } from '@placefleet/shared/timing'
import { noWebsiteVisits, type WebsiteVisits } from '@placefleet/shared/website-visits'
import type { ChromiumProblem } from '../browser/chromium-problem.ts'
import { createDrift } from '../drift/drift.ts'
import type { EgressProxy } from '../egress/egress-proxy.ts'
import { createGuard } from '../egress/guard.ts'
import { findProxyFault } from '../egress/proxy-fault.ts'
import type { Answer } from '../maps/answers/classify.ts'
import type { ClientChoice } from '../maps/requests/attempt.ts'
import { createExits, type Exits } from '../maps/requests/exit.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import { createIdentities, type Identities, type IdentitySettings } from '../maps/requests/identity.ts'
import type { KeeperFor } from '../maps/requests/keeper.ts'
import { createSharedWork } from '../maps/requests/shared-work.ts'
import { createTaskSessions } from '../maps/requests/task-sessions.ts'
import type { AgentExitLimits } from '../maps/requests/turns.ts'
import type { Verdict } from '../maps/requests/verdicts.ts'
import type { Door } from '../maps/urls/door.ts'
import type { CrawlLimits } from '../website/crawl.ts'
import { createHostTurns } from '../website/host-turns.ts'
import { createKnownCrawls } from '../website/known-crawls.ts'
import { createMailServers } from '../website/mail-servers.ts'
import { detailOf } from './failure-detail.ts'
import { openNetwork } from './network.ts'
import type { Sink, Task, TaskContext } from './task.ts'
import { TaskFailed } from './task-failed.ts'
import { doWork } from './work.ts'

/** What a task counted. `outcomes`: the places and pages without a collected place; `ok` stays 0. */
type Counts = { readonly outcomes: OutcomeCounts; readonly website_visits: WebsiteVisits }

export type CollectionEnd = Counts &
  (
    | {
        readonly kind: 'finished'
        /** Why the places are `limited`, when it was not only the map site. */
        readonly limited_reason?: LimitedReason | undefined
      }
    | {
        /** The site refuses every exit of the task. The task can continue at `until` (`monotonicNow`). */
        readonly kind: 'snoozed'
        readonly until: number
        /** Whether the site refuses the exits, or sends unrecognised answers. */
        readonly reason: 'blocked' | 'unknown'
        /** The site answers browsers only, and this agent may not use one. */
        readonly wants_browser: boolean
        readonly message: string
      }
    | {
        readonly kind: 'failed'
        readonly code: FailureCode
        readonly message: string
        /** The cause in its own words, for operators. Clients do not see it. */
        readonly detail?: string | undefined
      }
  )

export type SiteAccess = Omit<IdentitySettings, 'onExchange'> & { readonly exits: Exits; readonly rung: ClientChoice }

/** `allowHosts` are exempt from the private-network rule, as is the host and port of `mapsBaseUrl`. */
export type CollectorSettings = {
  readonly mapsBaseUrl: string
  readonly rung: ClientChoice
  readonly allowHosts: AllowHosts
  readonly websiteRobots?: 'obey' | 'ignore'
  readonly crawlLimits?: CrawlLimits
  /** How fast each exit may send requests to the map site, and how long it rests. */
  readonly exits: AgentExitLimits
  readonly keeperFor?: KeeperFor
  /** False: Chromium runs pages of strangers without its sandbox. */
  readonly sandbox?: boolean
  readonly log: Logger
  readonly lookup?: Lookup
  /** Replace the system's name servers for the mail servers of addresses, as `address:port`. */
  readonly nameServers?: readonly string[]
  /** Called each time a payload path of the map site had too little data over a hundred places. */
  readonly onDrift?: (path: string) => void
  /** Called with the verdict on each answer of the map site, and the door that it came from. */
  readonly onVerdict?: (verdict: Verdict, door: Door) => void
  readonly onUnknown?: (answer: Answer) => void
  /** Called after each start of Chromium, with its problem if it failed. */
  readonly onChromium?: (problem: ChromiumProblem | undefined) => void
}

/** The collecting half of an agent. */
export type Collector = ReturnType<typeof createCollector>

/** Creates a collector. The egress proxy starts with the first task, Chromium when a client needs it. */
export function createCollector(settings: CollectorSettings, open = openNetwork) {
  const { mapsBaseUrl, rung, allowHosts, sandbox = true, log } = settings
  const base = new URL(mapsBaseUrl)
  const guard = createGuard(allowHosts, mapsBaseUrl, settings.lookup)
  const drift = createDrift(log, settings.onDrift ?? (() => undefined))
  const exits = createExits({ ...settings, limits: settings.exits })
  let chromiumStarts = true
  const onStart = (problem: ChromiumProblem | undefined) => {
    chromiumStarts = problem === undefined
    settings.onChromium?.(problem)
  }
  const shared: Runner['shared'] = {
    base,
    choice: rung,
    allowHosts,
    drift,
    chromiumStarts: () => chromiumStarts,
    websites: {
      obeyRobots: settings.websiteRobots !== 'ignore',
      limits: settings.crawlLimits,
      inTurn: createHostTurns(),
      crawls: createKnownCrawls(),
      mailServers: createMailServers(settings.nameServers),
    },
  }
  const opening = createSharedWork(async () => {
    const network = await open(guard, { log, sandbox, onStart })
    return { ...network, identities: createIdentities({ ...network, guard, base, log }) }
  })
  return {
    /** What the check of the paths to the map site needs: the exits with their pace and rests, and the network. */
    async access(): Promise<SiteAccess> {
      const { egress, browsers } = await opening.get(new AbortController().signal)
      return { exits, guard, egress, browsers, base, rung, log }
    },
    /**
     * Runs one task and passes each place to the sink at once. When `signal` aborts, it stops promptly, rejects with
     * the abort reason and leaves no page or socket open. Rejects with another error only for a bug of the agent.
     */
    async collect(task: Task, sink: Sink, signal: AbortSignal): Promise<CollectionEnd> {
      const { identities, egress } = await opening.get(signal)
      return collectTask({ shared, exits, identities, egress, log }, task, sink, signal)
    },
    /** Counts the resting exits by reason. */
    resting: exits.resting,
    /** The payload paths of the map site with too little data in the last hundred places. */
    drifted: drift.drifted,
    /** Closes identities, Chromium and the egress proxy. All tasks must have ended or aborted. */
    async close(): Promise<void> {
      const network = await opening.forget()
      await network?.identities.close()
      await network?.browsers.close()
      await network?.egress.close()
    },
  }
}

/** What all tasks have in common. */
type Runner = {
  readonly shared: Pick<TaskContext, 'base' | 'choice' | 'allowHosts' | 'drift' | 'chromiumStarts' | 'websites'>
  readonly exits: Exits
  readonly identities: Identities
  readonly egress: EgressProxy
  readonly log: Logger
}

async function collectTask(runner: Runner, task: Task, sink: Sink, stop: AbortSignal): Promise<CollectionEnd> {
  const over = new AbortController()
  const signal = AbortSignal.any([stop, over.signal])
  const context = contextOf(runner, task, signal)
  const { outcomes, website_visits } = context
  const interruptible: Sink = {
    ...sink,
    references: (references) => abortable(sink.references(references), signal),
    place: (place) => abortable(sink.place(place, { ...website_visits }), signal),
  }
  try {
    await doWork(context, task, interruptible)
    return { kind: 'finished', outcomes, limited_reason: context.limited_reason, website_visits }
  } catch (error) {
    stop.throwIfAborted()
    if (!(error instanceof TaskFailed)) throw error
    const end =
      error.until === undefined ? await failed(runner, task, error, stop) : snoozed(context, error, error.until)
    return { ...end, outcomes, website_visits }
  } finally {
    over.abort(new Error('the task has ended')) // stops everything that still runs for it
  }
}

function snoozed({ log, choice, sessions }: TaskContext, { cause, message }: TaskFailed, until: number) {
  log.info(
    { until: new Date(Date.now() + until - monotonicNow()).toISOString() },
    'the map site refuses every address and proxy of the task; the task waits',
  )
  const reason = cause instanceof MapFailed && cause.fault === 'unknown' ? 'unknown' : 'blocked'
  return {
    kind: 'snoozed',
    until,
    reason,
    wants_browser: choice === 'http' && sessions.wantBrowser(),
    message,
  } as const
}

async function failed(runner: Runner, { task_id, job_id, proxies }: Task, error: TaskFailed, stop: AbortSignal) {
  const { code, cause } = error
  const log = runner.log.child({ task_id, job_id })
  if (code !== 'proxies_failed') {
    const detail = detailOf(cause)
    log.warn({ code, ...(detail && { err: cause }) }, `a task failed: ${detail ?? error.message}`)
    return { kind: 'failed', code, message: error.message, detail } as const
  }
  const faults = proxies.map((proxy) => findProxyFault(runner.egress, proxy, runner.shared.base, stop))
  const message = describeProxyFailures(await Promise.all(faults))
  log.warn({ code }, `a task failed: ${message}`)
  return { kind: 'failed', code, message } as const
}

function contextOf({ shared, exits, identities, log }: Runner, task: Task, signal: AbortSignal): TaskContext {
  const { parameters, task_id, job_id, places_wanted, stored_place_keys } = task
  const mayProbe = shared.choice !== 'browser'
  return {
    ...shared,
    parameters,
    filter: filterOf(parameters),
    sessions: createTaskSessions({ exits, identities, locale: parameters, signal, mayProbe }, task),
    limited_reason: undefined,
    outcomes: noOutcomes(),
    website_visits: noWebsiteVisits(),
    stored: new Set(stored_place_keys),
    places_wanted,
    signal,
    log: log.child({ task_id, job_id }),
  }
}
