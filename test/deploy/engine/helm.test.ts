import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { type ApiServer, hasApiServer, kubectl, startApiServer } from './api-server.ts'
import { writeKubernetesSchemas } from './kubernetes-schemas.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const CHART = join(ROOT, 'deploy/helm/placefleet')

const isHere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasHelm = isHere('helm', 'version')
const hasUnitTests = isHere('helm-unittest', '--help')
const hasKubeconform = hasHelm && isHere('kubeconform', '-v') && isHere('go', 'version')
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
  run('helm', 'lint', '--strict', CHART, ...KUBERNETES)
  run('helm', 'lint', '--strict', CHART, ...KUBERNETES, ...EVERYTHING)
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
  const values = [
    'coordinator.settings.RATE_FREE=2:5',
    'agent.settings.COLLECT_RUNG=http',
    'agent.settings.NODE_OPTIONS=-r x',
  ]
  run('helm', 'template', 'x', CHART, ...KUBERNETES, ...values.flatMap((value) => ['--set', value]))
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

unlessLacking('helm, kubeconform and go', hasKubeconform).describe('the objects of the chart', () => {
  const schemas = temporaryDir(afterAll)
  beforeAll(() => writeKubernetesSchemas(schemas))

  test.each(INSTALLATIONS)('are valid in Kubernetes, with $0', (_, values) => {
    const manifests = run('helm', 'template', 'placefleet', CHART, ...KUBERNETES, ...values)
    const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
    const { status, stdout, stderr } = spawnSync(
      'kubeconform',
      ['-strict', '-summary', '-skip', 'ScaledObject,PodMonitor,PrometheusRule', '-schema-location', location],
      { input: manifests, encoding: 'utf8' },
    )
    expect({ status, said: stdout + stderr }).toEqual({
      status: 0,
      said: expect.stringContaining('Invalid: 0, Errors: 0'),
    })
  })
})

unlessLacking('helm, etcd, kube-apiserver and kubectl (build-kubernetes.sh)', hasHelm && hasApiServer).describe(
  'on an API server',
  () => {
    const dir = temporaryDir(afterAll)
    const server: { running?: ApiServer } = {}
    beforeAll(async () => {
      server.running = await startApiServer(dir)
      for (const [kind, group, plural] of FOREIGN_KINDS)
        inCluster('apply', '--filename', customKind(dir, kind, group, plural))
    })
    afterAll(() => server.running?.stop())

    const kubeconfig = () => server.running?.kubeconfig ?? expect.fail('no API server')
    const inCluster = (...args: string[]) => {
      const { status, stdout, stderr } = kubectl(kubeconfig(), ...args)
      expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toMatchObject({ status: 0, said: '' })
      return stdout
    }
    const helm = (...args: string[]) => run('helm', ...args, '--kubeconfig', kubeconfig())

    test.each(INSTALLATIONS)('strict validation accepts every object, with $0', (_, values) => {
      const manifests = join(temporaryDir(), 'manifests.yaml')
      writeFileSync(manifests, run('helm', 'template', 'placefleet', CHART, ...KUBERNETES, ...values))
      inCluster('apply', '--server-side', '--dry-run=server', '--validate=strict', '--filename', manifests)
    })

    test('an upgrade after a Secret has changed replaces the pods that read it', () => {
      inCluster('create', 'namespace', 'fleet')
      const writeSecret = (url: string) => {
        inCluster('-n', 'fleet', 'delete', 'secret', 'placefleet-coordinator', '--ignore-not-found')
        inCluster(
          '-n',
          'fleet',
          'create',
          'secret',
          'generic',
          'placefleet-coordinator',
          `--from-literal=MONGODB_URL=${url}`,
        )
      }
      const checksum = () => {
        const path = '{.spec.template.metadata.annotations.checksum/secret}'
        return inCluster('-n', 'fleet', 'get', 'deployment', 'placefleet-coordinator', '-o', `jsonpath=${path}`)
      }
      writeSecret('mongodb://one')
      helm('-n', 'fleet', 'install', 'placefleet', CHART)
      const before = checksum()
      helm('-n', 'fleet', 'upgrade', 'placefleet', CHART)
      expect(checksum()).toBe(before)
      writeSecret('mongodb://two')
      helm('-n', 'fleet', 'upgrade', 'placefleet', CHART)
      expect(checksum()).not.toBe(before)
      helm('-n', 'fleet', 'uninstall', 'placefleet')
    })
  },
)

/** The kinds of KEDA and of the Prometheus operator, as far as an API server must know them. */
const FOREIGN_KINDS = [
  ['ScaledObject', 'keda.sh/v1alpha1', 'scaledobjects'],
  ['PodMonitor', 'monitoring.coreos.com/v1', 'podmonitors'],
  ['PrometheusRule', 'monitoring.coreos.com/v1', 'prometheusrules'],
] as const

/** Writes the definition of a kind whose members are not checked, and returns the file. */
function customKind(dir: string, kind: string, groupVersion: string, plural: string): string {
  const [group, name] = groupVersion.split('/')
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name, served: true, storage: true, schema }],
    },
  }
  const file = join(dir, `${plural}.json`)
  writeFileSync(file, JSON.stringify(definition))
  return file
}
