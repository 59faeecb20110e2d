import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'
import { canMakeDebian, type Debian, makeDebian } from './debian.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/**
 * The newest Node of each major version that the README takes, and the npm versions that come with them and with
 * Debian.
 */
const NODES = { 20: '20.20.2', 22: '22.23.5', 24: '24.21.0' } as const
const NPMS = ['9.2.0', '9.9.4', '10.1.0', '10.8.2', '10.9.4', '11.0.0', '11.6.2'] as const

/** Every npm with Node 20, and every Node with the npm of its official archive. */
const PAIRS = [
  ...NPMS.map((npm) => [NODES[20], npm] as const),
  [NODES[22], '10.9.4'] as const,
  [NODES[24], '11.6.2'] as const,
]

/** What a stack trace of Node looks like. */
const STACK = /^\s+at .*[:(]/m

const SUITES = ['bookworm', 'trixie'] as const

/** Settings of a user's own `.npmrc` that people have, and that move or hide what npm does. */
const NPMRC = ['prefix=~/.npm-global', 'fund=false', 'audit=false', 'update-notifier=false', 'save-exact=true'].join(
  '\n',
)

unlessLacking('root and debootstrap', canMakeDebian()).describe('in an empty Debian', () => {
  let debians: Record<string, Debian>
  beforeAll(() => {
    debians = Object.fromEntries(SUITES.map((suite) => [suite, makeDebian(suite)]))
  })
  afterAll(() => {
    for (const debian of Object.values(debians)) debian.remove()
  })

  const debianOf = (suite: string): Debian => {
    const debian = debians[suite]
    if (!debian) throw new Error(`There is no ${suite}`)
    return debian
  }

  const users = SUITES.flatMap((suite) =>
    [
      { user: 'ada', settings: 'none' },
      { user: 'root', settings: 'none' },
      { user: 'ada', settings: 'an .npmrc' },
    ].map((user) => ({ suite, ...user })),
  )
  test.for(users.flatMap((user) => PAIRS.map(([node, npm]) => ({ ...user, node, npm }))))(
    '$suite, Node $node with npm $npm, as $user with $settings: the first commands of the README work, and print no stack',
    async ({ suite, node, npm, user, settings }) => {
      const debian = debianOf(suite)
      debian.configure(user, settings === 'none' ? '' : NPMRC)
      const at = { user, path: debian.install(node, npm), cwd: debian.clone(ROOT, user) }
      const say = async (script: string) => {
        const { code, said, seconds } = await debian.run(script, at)
        expect({ script, code, said }).toEqual({ script, code: 0, said: expect.not.stringMatching(STACK) })
        return { said, seconds }
      }
      const install = await say('npm ci')
      const demo = await say('npm run demo -- --places 20')
      expect(demo.said).toContain('places')
      await say('npm run ops -- --help')
      await say('npm run placefleet -- --help')
      // As Ctrl-C does, for the whole group: npm 9.9 ignores a signal that it alone gets.
      const start = await say(
        'npm start >start.log 2>&1 & until grep -q "sign in to the console" start.log; do kill -0 $! || exit 1; sleep 0.2; done; trap : TERM; kill -TERM 0; wait; cat start.log',
      )
      console.log(
        `${suite} node ${node} npm ${npm} ${user} ${settings}: npm ci ${install.seconds} s, demo ${demo.seconds} s, start and stop ${start.seconds} s`,
      )
    },
  )

  test.for(SUITES)('%s: npm ci && npm test passes as an ordinary user', async (suite) => {
    const debian = debianOf(suite)
    debian.configure('ada', '')
    const at = { user: 'ada', path: debian.install(NODES[20], '10.8.2'), cwd: debian.clone(ROOT, 'ada') }
    const { code, said, seconds } = await debian.run('npm ci && npm test', at)
    console.log(`${suite} npm ci && npm test ${seconds} s\n${said.split('\n').slice(-12).join('\n')}`)
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' })
  })
})
