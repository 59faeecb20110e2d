import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeKubernetesSchemas } from './kubernetes-schemas.ts'

const CHART = resolve(import.meta.dirname, '../../../deploy/helm/placefleet')

const isHere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasHelm = isHere('helm', 'version')
const hasUnitTests = isHere('helm-unittest', '--help')
const hasKubeconform = hasHelm && isHere('kubeconform', '-v') && isHere('go', 'version')
for (const [there, program] of [
  [hasHelm, 'helm'],
  [hasUnitTests, 'helm-unittest'],
  [hasKubeconform, 'kubeconform with helm and go'],
] as const)
  if (!there) console.warn(`There is no ${program} here: its tests of the chart are skipped.`)

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' })
  return stdout
}

/** A helm built without its release script claims to be an old Kubernetes. */
const KUBERNETES = ['--kube-version', '1.37.0']

/** Values that switch everything on that the chart can make. */
const EVERYTHING = [
  'agent.autoscaling.enabled=true',
  'agent.autoscaling.prometheusAddress=http://prometheus:9090',
  'backup.enabled=true',
  'coordinator.ingress.enabled=true',
  'coordinator.ingress.host=places.example.com',
  'coordinator.ingress.tlsSecret=places-tls',
  'metrics.podMonitor.enabled=true',
  'networkPolicy.natsPeers[0].podSelector.matchLabels.app=nats',
].flatMap((value) => ['--set', value])

test.skipIf(!hasHelm)('the chart passes helm lint, with its defaults and with everything', () => {
  run('helm', 'lint', '--strict', CHART, ...KUBERNETES)
  run('helm', 'lint', '--strict', CHART, ...KUBERNETES, ...EVERYTHING)
})

test.skipIf(!hasHelm)('a value that does not exist is refused by name', () => {
  const { status, stderr } = spawnSync('helm', ['template', 'x', CHART, ...KUBERNETES, '--set', 'agent.replica=2'], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/agent.*replica/s) })
})

test.skipIf(!hasUnitTests)('the unit tests of the chart pass', () => {
  run('helm-unittest', '--strict', CHART)
})

describe.skipIf(!hasKubeconform)('the objects of the chart', () => {
  const schemas = mkdtempSync(join(tmpdir(), 'kubernetes-schemas-'))
  beforeAll(() => writeKubernetesSchemas(schemas))
  afterAll(() => rmSync(schemas, { recursive: true }))

  test.each([
    ['its defaults', []],
    ['everything', EVERYTHING],
  ] as const)('are valid in Kubernetes, with %s', (_, values) => {
    const manifests = run('helm', 'template', 'placefleet', CHART, ...KUBERNETES, ...values)
    const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
    const { status, stdout, stderr } = spawnSync(
      'kubeconform',
      ['-strict', '-summary', '-skip', 'ScaledObject,PodMonitor', '-schema-location', location],
      { input: manifests, encoding: 'utf8' },
    )
    expect({ status, said: stdout + stderr }).toEqual({
      status: 0,
      said: expect.stringContaining('Invalid: 0, Errors: 0'),
    })
  })
})
