import type { ChromiumCause } from '@placefleet/shared/chromium-problem'

/** What the diagnosis of a Chromium that does not start needs to know about the system. */
export type SystemFacts = {
  /** `user.max_user_namespaces`. This and the next two are undefined where the kernel has no such setting. */
  readonly maxUserNamespaces?: number | undefined
  /** `kernel.unprivileged_userns_clone`, of Debian. */
  readonly unprivilegedUserns?: number | undefined
  /** `kernel.apparmor_restrict_unprivileged_userns`, of Ubuntu. */
  readonly apparmorRestricts?: number | undefined
  /** The `Seccomp` mode of this process: 2 under a filter, as in a container or a systemd unit. */
  readonly seccomp?: number | undefined
}

/**
 * Why Chromium does not start, and the one line that mends it. Both may be shown to users. `output` has paths of the
 * machine or the last lines of Chromium, for operators only. It is a sentence.
 */
export type ChromiumProblem = {
  readonly cause: ChromiumCause
  readonly message: string
  readonly remedy: string
  readonly output?: string | undefined
}

/** Thrown when Chromium does not start. The message has no output of Chromium. */
export class ChromiumUnavailable extends Error {
  override readonly name = 'ChromiumUnavailable'
  readonly problem: ChromiumProblem

  constructor(problem: ChromiumProblem, cause?: unknown) {
    super(`${problem.message} ${problem.remedy}`, { cause })
    this.problem = problem
  }
}

/** Returns why Chromium did not start, if that is what an error or one of its causes says. */
export function chromiumFailureIn(error: unknown): ChromiumUnavailable | undefined {
  if (error instanceof ChromiumUnavailable) return error
  return error instanceof Error ? chromiumFailureIn(error.cause) : undefined
}

/**
 * Returns the sentences of a problem for an operator. The output of an unknown cause replaces the advice to look at it.
 */
export function problemForOperator({ cause, message, remedy, output }: ChromiumProblem): string[] {
  if (output === undefined) return [message, remedy]
  return cause === 'other' ? [message, output] : [message, remedy, output]
}

/** The problem of root with a sandbox. Chromium refuses to start then. */
export const NEEDS_USER: ChromiumProblem = {
  cause: 'root',
  message: 'Chromium cannot start: the agent runs as root, where Chromium has no sandbox.',
  remedy: 'Run it as another user, or set CHROMIUM_SANDBOX=off to open strangers’ pages without a sandbox.',
}

/** Returns the problem of a Chromium that was not found, from the error of the search. */
export const notFound = (reason: string): ChromiumProblem => ({
  cause: 'not_found',
  message: 'Chromium cannot start: there is none on this machine.',
  remedy: 'Install one (Debian: sudo apt install chromium), or set CHROMIUM_PATH to its program.',
  output: reason,
})

/** Chromium's words when the kernel, a security module or a system call filter denies its sandbox. */
const NO_SANDBOX = /No usable sandbox|Failed to move to new namespace|Zygote process exited prematurely/
const MISSING_LIBRARY = /error while loading shared libraries: ([^\s:]+): cannot open shared object file/

/** Returns the problem of a Chromium that was started and failed, from Playwright's message and the system's facts. */
export function diagnose(message: string, facts: SystemFacts): ChromiumProblem {
  const text = stripped(message)
  const library = MISSING_LIBRARY.exec(text)?.[1]
  if (library !== undefined) return missingLibrary(library)
  if (NO_SANDBOX.test(text)) return withoutSandbox(facts)
  return {
    cause: 'other',
    message: 'Chromium cannot start.',
    remedy: 'npm run doctor:chromium on the host of the agent shows why.',
    output: lastWords(text),
  }
}

const missingLibrary = (library: string): ChromiumProblem => ({
  cause: 'library',
  message: `Chromium cannot start: the library ${library} is missing.`,
  remedy:
    'Install its libraries (Debian, Ubuntu: sudo npx playwright install-deps chromium; elsewhere ldd lists them).',
})

const SANDBOX_OFF = 'or set CHROMIUM_SANDBOX=off to open strangers’ pages without a sandbox.'

const FORBIDDEN = 'Chromium cannot start: it needs user namespaces for its sandbox, and'

/** The settings of the kernel come first: a filter may be there too, and is then not the cause. */
function withoutSandbox(facts: SystemFacts): ChromiumProblem {
  const { maxUserNamespaces, unprivilegedUserns, apparmorRestricts, seccomp } = facts
  if (maxUserNamespaces === 0) {
    return userNamespaces('this system allows none.', 'sudo sysctl -w user.max_user_namespaces=15000')
  }
  if (unprivilegedUserns === 0) {
    return userNamespaces('only root may create them here.', 'sudo sysctl -w kernel.unprivileged_userns_clone=1')
  }
  if (apparmorRestricts !== undefined && apparmorRestricts > 0) return BY_APPARMOR
  if (seccomp === 2) return BY_FILTER
  return {
    cause: 'user_namespaces',
    message: `${FORBIDDEN} this system denies them, though its settings allow them.`,
    remedy: `Run the agent on another system, ${SANDBOX_OFF}`,
  }
}

const userNamespaces = (why: string, line: string): ChromiumProblem => ({
  cause: 'user_namespaces',
  message: `${FORBIDDEN} ${why}`,
  remedy: `Run: ${line}`,
})

const BY_APPARMOR: ChromiumProblem = {
  cause: 'apparmor',
  message: `${FORBIDDEN} AppArmor forbids them (Ubuntu 23.10 and later).`,
  remedy:
    'Run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or allow only Chromium with the profile deploy/apparmor/placefleet-chromium.',
}

const BY_FILTER: ChromiumProblem = {
  cause: 'filter',
  message: `${FORBIDDEN} a filter of system calls forbids them, as in a container.`,
  remedy: 'Start the container with: --security-opt seccomp=deploy/images/seccomp-chromium.json',
}

const LINES = 3
const MAX_OUTPUT = 500

/**
 * Returns the last lines that Chromium wrote to stderr; without one, how it ended, or the first line of the message.
 */
function lastWords(text: string): string {
  const lines = [...new Set([...text.matchAll(/\[pid=\d+\]\[err\] (.+)/g)].map(([, line = '']) => line.trim()))]
  if (lines.length > 0) return `Its last lines: ${lines.slice(-LINES).join(' / ').slice(-MAX_OUTPUT)}`
  const [, code, signal] = /process did exit: exitCode=(\w+), signal=(\w+)/.exec(text) ?? []
  if (code !== undefined) return `It wrote nothing and ended with ${code === 'null' ? signal : `exit code ${code}`}.`
  return text.split('\n', 1)[0] ?? ''
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Playwright dims the lines of its log
const stripped = (text: string): string => text.replace(/\u001b\[\d+m/g, '')
