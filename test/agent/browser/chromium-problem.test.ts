import { ChromiumUnavailable, diagnose, notFound, problemForOperator } from '@placefleet/agent/browser/chromium-problem'
import { expect, test } from 'vitest'

/** The message of Playwright for a Chromium that wrote these lines and exited. */
const failure = (...lines: string[]) =>
  [
    'browserType.launch: Target page, context or browser has been closed',
    'Browser logs:',
    '',
    'Call log:',
    '\u001b[2m  - <launched> pid=17\u001b[22m',
    ...lines.map((line) => `\u001b[2m  - [pid=17][err] ${line}\u001b[22m`),
    '\u001b[2m  - [pid=17] <process did exit: exitCode=1, signal=null>\u001b[22m',
  ].join('\n')

const NO_SANDBOX = failure('[1123/095805.164624:FATAL:zygote_host_impl_linux.cc:129] No usable sandbox! If you are')
const USER = '/proc/sys/user/max_user_namespaces'
const DEBIAN = '/proc/sys/kernel/unprivileged_userns_clone'
const UBUNTU = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
const STATUS = '/proc/self/status'

/** A system whose files have this content. */
const system = (files: Record<string, string> = {}) => {
  const all: Record<string, string> = { [USER]: '96365', [STATUS]: 'Name:\tnode\nSeccomp:\t0\n', ...files }
  return async (file: string) => all[file] ?? ''
}

test.each([
  ['user_namespaces', { [USER]: '0', [UBUNTU]: '1' }, 'user.max_user_namespaces=15000'],
  ['user_namespaces', { [DEBIAN]: '0' }, 'kernel.unprivileged_userns_clone=1'],
  ['apparmor', { [DEBIAN]: '1', [UBUNTU]: '1' }, 'kernel.apparmor_restrict_unprivileged_userns=0'],
  ['filter', { [UBUNTU]: '0', [STATUS]: 'Name:\tnode\nSeccomp:\t2\n' }, 'seccomp-chromium.json'],
  ['user_namespaces', {}, 'CHROMIUM_SANDBOX=off'],
])(
  'a sandbox that the system denies is a problem of %s, with the line that mends it: %j',
  async (cause, files, line) => {
    const problem = await diagnose(NO_SANDBOX, system(files))
    expect(problem).toMatchObject({ cause, message: expect.stringContaining('user namespaces') })
    expect(problem.remedy).toContain(line)
  },
)

test('a missing library is named, with the line that installs all that Chromium needs', async () => {
  const library = 'libatk-bridge-2.0.so.0'
  const problem = await diagnose(
    failure(
      `/usr/lib/chromium: error while loading shared libraries: ${library}: cannot open shared object file: No such`,
    ),
  )
  expect(problem).toMatchObject({ cause: 'library', message: expect.stringContaining(library) })
  expect(problem.remedy).toContain('sudo npx playwright install-deps chromium')
})

test('of an unknown cause the operator sees the end of what Playwright says, and a user does not', async () => {
  const problem = await diagnose(failure('first', 'second', 'third /home/secret'))
  expect(problemForOperator(problem)).toMatch(
    /^Chromium cannot start\. Playwright says: .*second.* third \/home\/secret .*exitCode=1, signal=null>$/,
  )
  expect(new ChromiumUnavailable(problem).message).not.toContain('secret')
})

test('a Chromium that is not there is told apart, and its path is for the operator only', () => {
  const problem = notFound('CHROMIUM_PATH names /opt/none, which does not exist.')
  expect(problemForOperator(problem)).toContain('/opt/none')
  expect(new ChromiumUnavailable(problem).message).toMatch(/CHROMIUM_PATH/)
  expect(new ChromiumUnavailable(problem).message).not.toContain('/opt/none')
})
