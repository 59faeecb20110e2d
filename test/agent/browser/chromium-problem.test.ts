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
const FREE = { maxUserNamespaces: 96_365, seccomp: 0 }

test.each([
  ['user_namespaces', { ...FREE, maxUserNamespaces: 0, apparmorRestricts: 1 }, 'user.max_user_namespaces=15000'],
  ['user_namespaces', { ...FREE, unprivilegedUserns: 0 }, 'kernel.unprivileged_userns_clone=1'],
  ['apparmor', { ...FREE, apparmorRestricts: 1 }, 'kernel.apparmor_restrict_unprivileged_userns=0'],
  ['filter', { ...FREE, seccomp: 2 }, 'seccomp-chromium.json'],
  ['user_namespaces', FREE, 'CHROMIUM_SANDBOX=off'],
])('a sandbox that the system denies is a problem of %s, with the line that mends it', (cause, facts, line) => {
  const problem = diagnose(NO_SANDBOX, facts)
  expect(problem).toMatchObject({ cause, message: expect.stringContaining('user namespaces') })
  expect(problem.remedy).toContain(line)
})

test('a missing library is named, with the line that installs all that Chromium needs', () => {
  const library = 'libatk-bridge-2.0.so.0'
  const problem = diagnose(
    failure(
      `/usr/lib/chromium: error while loading shared libraries: ${library}: cannot open shared object file: No such`,
    ),
    FREE,
  )
  expect(problem).toMatchObject({ cause: 'library', message: expect.stringContaining(library) })
  expect(problem.remedy).toContain('sudo npx playwright install-deps chromium')
})

test('of an unknown cause the operator sees the last lines of Chromium, and a user does not', () => {
  const problem = diagnose(failure('first', 'second', 'third /home/secret', 'fourth'), FREE)
  expect(problemForOperator(problem).join(' ')).toBe(
    'Chromium cannot start. Its last lines: second / third /home/secret / fourth',
  )
  expect(new ChromiumUnavailable(problem).message).not.toContain('secret')
})

test('of a Chromium that wrote nothing the operator sees how it ended', () => {
  expect(problemForOperator(diagnose(failure(), FREE))).toContain('It wrote nothing and ended with exit code 1.')
})

test('a Chromium that is not there is told apart, and its path is for the operator only', () => {
  const problem = notFound('CHROMIUM_PATH names /opt/none, which does not exist.')
  expect(problemForOperator(problem).join(' ')).toContain('/opt/none')
  expect(new ChromiumUnavailable(problem).message).toMatch(/CHROMIUM_PATH/)
  expect(new ChromiumUnavailable(problem).message).not.toContain('/opt/none')
})
