import { CAUSES, Cause, type CheckedExit, type CheckedPath, type PathReport } from '@placefleet/shared/path-report'

const OF_VERDICT: Readonly<Record<string, Cause>> = {
  proxy_failed: 'proxy',
  network: 'network',
  timeout: 'network',
  unavailable: 'network',
  exit_refused: 'refused',
  request_refused: 'refused',
  consent: 'consent',
  unknown: 'unknown',
  needs_scripts: 'scripts',
  layout: 'fields',
  not_found: 'fields',
  trimmed: 'limited',
  doubtful_empty: 'empty',
  agent_failed: 'chromium',
}

const SENTENCES: Readonly<Record<Cause, string>> = {
  proxy: 'The proxy does not work',
  network: 'The map site does not answer, or only with errors',
  refused: 'The map site refuses the requests',
  consent: 'The map site shows only its consent form',
  unknown: 'The map site sends something new, which nobody knows',
  scripts: 'The map site answers only clients that run scripts',
  fields: 'The answers of the map site lack fields that every place has',
  limited: 'The map site holds parts of its answers back',
  empty: 'The map site answers with empty lists',
  chromium: 'Chromium does not start',
  resting: 'The address or proxy is paused after a refusal, so nothing was requested',
}

/** The doors that a job cannot do without. Reviews and photos may come through another one. */
const NEEDED: ReadonlySet<string> = new Set(['search', 'place'])

const hasWholeNeeds = (paths: readonly CheckedPath[]): boolean =>
  [...NEEDED].every((needed) => paths.some(({ door, verdict }) => door === needed && verdict === 'whole'))

/** Returns why not every rung got a whole search and a whole place, the most serious cause first. */
export function causesOf(paths: readonly CheckedPath[]): Cause[] {
  const causes = [...Map.groupBy(paths, ({ rung }) => rung).values()].flatMap((checked): Cause[] => {
    const limited: Cause[] = checked.some((path) => path.limited) ? ['limited'] : []
    if (hasWholeNeeds(checked)) return limited
    const heeded = checked.filter(({ door }) => NEEDED.has(door) || door === 'front page')
    const faults = heeded.flatMap(({ verdict }) => OF_VERDICT[verdict] ?? [])
    return faults.length > 0 ? [...faults, ...limited] : ['resting']
  })
  return bySeriousness(causes)
}

function bySeriousness(causes: readonly Cause[]): Cause[] {
  return [...new Set(causes)].sort((a, b) => CAUSES[a] - CAUSES[b])
}

/** Returns the exit code: that of the most serious cause. */
export function exitCodeOf({ exits }: Pick<PathReport, 'exits'>): number {
  const [first] = bySeriousness(exits.flatMap(({ causes }) => causes))
  return first === undefined ? 0 : CAUSES[first]
}

/** Returns the result in a sentence for each cause, and which rungs work nevertheless. */
export function conclusionOf(exits: readonly CheckedExit[]): string {
  const causes = bySeriousness(exits.flatMap((exit) => exit.causes))
  if (causes.length === 0) return 'Plain HTTP and browser get whole searches and places.'
  const working = exits.flatMap(({ exit, paths }) => {
    const rungs = Map.groupBy(paths, ({ rung }) => rung)
    const names = [...rungs].filter(([, checked]) => hasWholeNeeds(checked)).map(([rung]) => NAMES[rung])
    return exits.length > 1 ? names.map((name) => `${name} through ${exit}`) : names
  })
  const rest =
    working.length > 0
      ? `Whole searches and places come over: ${working.join(', ')}.`
      : 'Neither plain HTTP nor the browser works.'
  return [...causes.map((cause) => `${SENTENCES[cause]}.`), rest].join(' ')
}

/** The rungs, as people read them. */
const NAMES: Readonly<Record<CheckedPath['rung'], string>> = { http: 'plain HTTP', browser: 'Chromium' }

/** Returns each cause with its exit code, for the help of the command. */
export const causesHelp = (): string =>
  Cause.options.map((cause) => `  ${String(CAUSES[cause]).padEnd(4)}${SENTENCES[cause]}`).join('\n')
