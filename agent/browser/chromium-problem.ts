import { readFile } from 'node:fs/promises'
import type { ChromiumCause } from '@placefleet/shared/chromium-problem'

/**
 * Why Chromium does not start, and the one line that mends it. Both may be shown to users. `output` has paths of the
 * machine or the last lines of Playwright's text, for operators only.
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

/** Returns what an operator reads of a problem. The output of an unknown cause replaces the advice to look at it. */
export function problemForOperator({ cause, message, remedy, output }: ChromiumProblem): string {
  if (output === undefined) return `${message} ${remedy}`
  return cause === 'other' ? `${message} ${output}` : `${message} ${remedy} ${output}`
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

/** What denies Chromium's sandbox its user namespaces, by files of Linux, and what mends it. */
const DENIALS: readonly { file: string; denies: RegExp; cause: ChromiumCause; why: string; remedy: string }[] = [
  {
    file: '/proc/sys/user/max_user_namespaces',
    denies: /^0/,
    cause: 'user_namespaces',
    why: 'this system allows none.',
    remedy: 'Run: sudo sysctl -w user.max_user_namespaces=15000',
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone', // of Debian
    denies: /^0/,
    cause: 'user_namespaces',
    why: 'only root may create them here.',
    remedy: 'Run: sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    denies: /^[1-9]/,
    cause: 'apparmor',
    why: 'AppArmor forbids them (Ubuntu 23.10 and later).',
    remedy:
      'Run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or allow only Chromium with the profile deploy/apparmor/placefleet-chromium.',
  },
  {
    file: '/proc/self/status', // the last, because such a filter may be there too, and not be the cause
    denies: /^Seccomp:\s*2$/m,
    cause: 'filter',
    why: 'a filter of system calls forbids them, as in a container.',
    remedy: 'Start the container with: --security-opt seccomp=deploy/images/seccomp-chromium.json',
  },
  {
    file: '', // of none of these, so it is unknown
    denies: /^/,
    cause: 'user_namespaces',
    why: 'this system denies them, though its settings allow them.',
    remedy: 'Run the agent on another system, or set CHROMIUM_SANDBOX=off to open strangers’ pages without a sandbox.',
  },
]

/** Chromium's words when the kernel, a security module or a system call filter denies its sandbox. */
const NO_SANDBOX = /No usable sandbox|Failed to move to new namespace|Zygote process exited prematurely/
const MISSING_LIBRARY = /error while loading shared libraries: ([^\s:]+): cannot open shared object file/
const MAX_OUTPUT = 500
// biome-ignore lint/suspicious/noControlCharactersInRegex: Playwright dims the lines of its log
const DIMMED = /\u001b\[\d+m/g

const readSystem = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/**
 * Returns the problem of a Chromium that was started and failed, from Playwright's text and the files of the system.
 */
export async function diagnose(text: string, read = readSystem): Promise<ChromiumProblem> {
  const library = MISSING_LIBRARY.exec(text)?.[1]
  if (library !== undefined) {
    return {
      cause: 'library',
      message: `Chromium cannot start: the library ${library} is missing.`,
      remedy:
        'Install its libraries (Debian, Ubuntu: sudo npx playwright install-deps chromium; elsewhere ldd lists them).',
    }
  }
  for (const { file, denies, cause, why, remedy } of NO_SANDBOX.test(text) ? DENIALS : []) {
    const message = `Chromium cannot start: it needs user namespaces for its sandbox, and ${why}`
    if (denies.test(await read(file))) return { cause, message, remedy }
  }
  return {
    cause: 'other',
    message: 'Chromium cannot start.',
    remedy: 'npm run doctor:chromium on the host of the agent shows why.',
    output: `Playwright says: ${text.replace(DIMMED, '').replace(/\s+/g, ' ').trim().slice(-MAX_OUTPUT)}`,
  }
}
