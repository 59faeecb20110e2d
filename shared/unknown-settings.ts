import { distance } from 'fastest-levenshtein'
import { ConfigError, checkSettings, type Environment } from './config.ts'
import { SETTING_NAMES } from './setting-names.ts'
import { nearestName } from './text.ts'

/** A file of settings, and the names in it. */
export type SettingsFile = { path: string; names: readonly string[] }

/**
 * Reads the settings of a program, and checks the names of the variables: an unknown one in the environment if it
 * misspells a setting, every unknown one in a file of settings.
 * @throws ConfigError that names every wrong setting and every such name at once.
 */
export function readSettings<Settings>(
  read: (env: Environment) => Settings,
  env: Environment,
  file: SettingsFile = { path: '', names: [] },
): Settings {
  const faults = [...unknownInFile(file), ...misspelledIn(env, new Set(file.names))]
  const checkNames = () => {
    if (faults.length > 0) throw new ConfigError('unknown settings', { faults })
  }
  checkSettings(checkNames, () => read(env))
  return read(env)
}

function unknownInFile({ path, names }: SettingsFile): string[] {
  return names.flatMap((name) => {
    const meant = misspelledSetting(name)
    if (meant === undefined && (KNOWN.has(name) || MAY_STAND_BESIDE.test(name))) return []
    const nearest = meant ?? nearestName(name, SETTING_NAMES)
    const hint = nearest === undefined ? 'coordinator/guides/settings.md lists them all' : `did you mean ${nearest}?`
    return `${name}: is in ${path}, but is not a setting; ${hint}`
  })
}

function misspelledIn(env: Environment, elsewhere: ReadonlySet<string>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const meant = value === '' || elsewhere.has(name) || SERVICE_LINK.test(value) ? undefined : misspelledSetting(name)
    if (meant === undefined) return []
    const advice = 'If another program needs it, set it empty for this one'
    return `${name}: is not a setting; did you mean ${meant}? ${advice}`
  })
}

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES)

/**
 * Variables that the system, Node and our libraries read, and those of the command line `placefleet`: they may stand
 * beside the settings, in a file and in the chart. The text of a pattern, for the chart's schema.
 */
export const SYSTEM_VARIABLES =
  '^(HOME|PATH|TMPDIR|TZ|LANG|XDG_CACHE_HOME|MALLOC_ARENA_MAX|PLAYWRIGHT_BROWSERS_PATH|GRPC_(TRACE|VERBOSITY)' +
  '|(LC|NODE|OTEL|PLACEFLEET|SSL_CERT|UV)_[A-Z0-9_]+|(HTTPS?|NO|GRPC|NO_GRPC|https?|no|grpc|no_grpc)_(PROXY|proxy))$'

const MAY_STAND_BESIDE = new RegExp(SYSTEM_VARIABLES)

/** Kubernetes and Docker describe the service `metric` by `METRIC_PORT=tcp://10.0.0.1:80`. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\//

/** Variables that many other programs read, and that are one letter from a setting. */
const OF_OTHER_PROGRAMS: ReadonlySet<string> = new Set(['LOGLEVEL', 'MONGODB_URI'])

/** In a shorter name, one other letter is often another word: POST, HOSTS, PORT1. */
const SHORT = 8
/** A longer name has no neighbours, so it is recognized with two wrong letters. */
const LONG = 14

/**
 * Returns the setting that a variable of the environment misspells; undefined for settings and for variables that may
 * belong to somebody else. Our names have no common prefix, so this compares strictly: swapped neighbours in any name,
 * a doubled letter in a short one, one wrong letter in others, two in long ones.
 */
export function misspelledSetting(name: string): string | undefined {
  if (KNOWN.has(name) || OF_OTHER_PROGRAMS.has(name)) return undefined
  return SETTING_NAMES.find((setting) => isSwapped(name, setting) || isMistyped(name, setting))
}

function isMistyped(written: string, name: string): boolean {
  if (name.length < SHORT) return written.length === name.length + 1 && written.replaceAll(/(.)\1/g, '$1') === name
  return distance(written, name) <= (name.length < LONG ? 1 : 2)
}

function isSwapped(written: string, name: string): boolean {
  const at = [...name].findIndex((letter, index) => letter !== written[index])
  const swapped = name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
  return at >= 0 && written === swapped
}
