import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const CHART = join(ROOT, 'deploy/helm/placefleet')

const isHere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasHelm = isHere('helm', 'version')
const hasUnitTests = isHere('helm-unittest', '--help')
const hasKubeconform = hasHelm && isHere('kubeconform', '-v')
const withHelm = unlessLacking('helm', hasHelm)

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' })
  return stdout
}

/** A helm built without its release script claims to be an old Kubernetes. */
const KUBERNETES = ['--kube-version', '1.37.0']

const set = (...values: string[]) => values.flatMap((value) => ['--set', value])

/** Values that switch everything on that the chart can make. */
const EVERYTHING = ['--values', join(import.meta.dirname, 'chart-values.yaml')]

/** What people install: each is valid. */
const INSTALLATIONS: readonly (readonly [string, readonly string[]])[] = [
  ['its defaults', []],
  ['everything', EVERYTHING],
  ['agents elsewhere', set('agent.enabled=false', 'networkPolicy.agentPeers[0].ipBlock.cidr=203.0.113.0/24')],
  [
    'agents without Chromium, and no policies',
    set(
      'images.agent.repository=placefleet/agent-http',
      'agent.seccompProfile.type=RuntimeDefault',
      'agent.seccompProfile.localhostProfile=null',
      'networkPolicy.enabled=false',
    ),
  ],
  ['a claim for backups that exists', set('backup.enabled=true', 'backup.existingClaim=backups')],
]

withHelm.test('the chart passes helm lint, with its defaults and with everything', () => {
  for (const values of [[], EVERYTHING]) run('helm', 'lint', '--strict', CHART, ...KUBERNETES, ...values)
})

withHelm.describe('a chart with a wrong value', () => {
  test.each([
    ['agent.replica=2', /agent.*replica/s],
    ['coordinator.settings.RATE_FREEE=2:5', /coordinator.*settings.*RATE_FREEE/s],
    ['coordinator.settings.COLLECT_RUNG=http', /coordinator.*settings.*COLLECT_RUNG/s],
    ['agent.settings.AGENT_CONCURENCY=2', /agent.*settings.*AGENT_CONCURENCY/s],
    ['agent.settings.AGENT_TOKEN=secret', /agent.*settings.*AGENT_TOKEN/s],
    ['coordinator.secretSettings={STRIPE_SECRET}', /coordinator.*secretSettings/s],
  ])('%s is refused by name', (value, says) => {
    for (const command of [['template', 'x'], ['lint']]) {
      const { status, stdout, stderr } = spawnSync('helm', [...command, CHART, ...KUBERNETES, '--set', value], {
        encoding: 'utf8',
      })
      expect({ status, said: stdout + stderr }).toEqual({ status: 1, said: expect.stringMatching(says) })
    }
  })
})

withHelm.test('a setting of the program and a variable of Node pass', () => {
  const settings = ['RATE_FREE=2:5', 'NODE_OPTIONS=-r x'].map((setting) => `coordinator.settings.${setting}`)
  run('helm', 'template', 'x', CHART, ...KUBERNETES, ...set(...settings, 'agent.settings.COLLECT_RUNG=http'))
})

withHelm.test("the page's values and its install line render your images, and TLS for the host", () => {
  const page = readFileSync(join(CHART, '../README.md'), 'utf8')
  const [, values = ''] = /```yaml\n(.*?)```/s.exec(page) ?? expect.fail('the page has no values')
  const [, chart = '', file = ''] =
    /^helm -n placefleet install placefleet (\S+) --values (\S+)$/m.exec(page) ?? expect.fail('no install line')
  const dir = temporaryDir()
  writeFileSync(join(dir, file), values)
  const manifests = run('helm', 'template', 'placefleet', join(ROOT, chart), ...KUBERNETES, '--values', join(dir, file))
  expect(manifests).toContain('image: registry.example.com/placefleet/coordinator:')
  expect(manifests).toContain('image: registry.example.com/placefleet/agent:')
  expect(manifests).toContain('ingressClassName: nginx')
  expect(manifests).toMatch(/tls:\n +- hosts: \["places\.example\.com"\]\n +secretName: places-tls/)
})

unlessLacking('helm-unittest', hasUnitTests).test('the unit tests of the chart pass', () => {
  run('helm-unittest', '--strict', CHART)
})

/** The oldest Kubernetes that the chart is held against. */
const OLDEST = ['-kubernetes-version', '1.30.0']

unlessLacking('helm and kubeconform', hasKubeconform).describe('the objects of the chart', () => {
  test.each(INSTALLATIONS)('are valid in Kubernetes, with $0', (_, values) => {
    const input = run('helm', 'template', 'placefleet', CHART, ...KUBERNETES, ...values)
    const foreign = ['-skip', 'ScaledObject,PodMonitor,PrometheusRule']
    const checked = spawnSync('kubeconform', ['-strict', '-summary', ...OLDEST, ...foreign], {
      input,
      encoding: 'utf8',
    })
    expect({ status: checked.status, said: checked.stdout + checked.stderr }).toEqual({
      status: 0,
      said: expect.stringContaining('Invalid: 0, Errors: 0'),
    })
  })
})
