import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SETTING_NAMES } from '@placefleet/shared/setting-names'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, 'deploy/templates', file), 'utf8')
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

/** The fields of a service in a Compose file that the templates use. Others are refused. */
const Service = z.strictObject({
  image: z.literal(`placefleet/placefleet:${version}`),
  user: z.literal('1000:1000').optional(),
  restart: z.enum(['on-failure', 'unless-stopped']).optional(),
  stop_grace_period: z.string(),
  environment: z.union([z.array(z.string()), z.record(z.string(), z.string())]),
  volumes: z.tuple([z.string().endsWith(':/data')]),
  ports: z
    .tuple([z.strictObject({ target: z.literal(8080), published: z.string(), protocol: z.literal('tcp') })])
    .optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.number() })
    .optional(),
  deploy: z.unknown().optional(),
  'x-casaos': z.unknown().optional(),
})
type Service = z.infer<typeof Service>

const namesIn = ({ environment }: Service) =>
  Array.isArray(environment) ? environment.map((line) => line.split('=', 1)[0] ?? '') : Object.keys(environment)

const expectSettings = (names: readonly string[]) =>
  expect(names.filter((name) => !SETTING_NAMES.includes(name))).toEqual([])

const inLanguages = z.record(z.enum(['en_us', 'de_de']), z.string())
const described = (container: string) =>
  z.tuple([z.strictObject({ container: z.literal(container), description: inLanguages })])

describe('the template of', () => {
  test('Coolify names its port, and gives the console an address and a token', () => {
    const text = read('coolify/placefleet.yaml')
    const head = Object.fromEntries([...text.matchAll(/^# (\w+): (.+)$/gm)].map(([, name, value]) => [name, value]))
    expect(Object.keys(head)).toEqual(['documentation', 'slogan', 'category', 'tags', 'port'])
    const { services } = z.strictObject({ services: z.strictObject({ placefleet: Service }) }).parse(parse(text))
    const [address, ...settings] = namesIn(services.placefleet)
    expect(address).toBe(`SERVICE_URL_PLACEFLEET_${head.port}`)
    expectSettings(settings)
    expect(services.placefleet.environment).toContain(`PUBLIC_URL=\${SERVICE_URL_PLACEFLEET}`)
  })

  test('Railway builds the image and asks for a volume', () => {
    const Config = z.strictObject({
      $schema: z.literal('https://railway.com/railway.schema.json'),
      build: z.strictObject({ builder: z.literal('DOCKERFILE'), dockerfilePath: z.string() }),
      deploy: z.strictObject({
        numReplicas: z.literal(1),
        requiredMountPath: z.literal('/data'),
        healthcheckPath: z.literal('/health'),
        healthcheckTimeout: z.int().positive(),
        restartPolicyType: z.enum(['ON_FAILURE', 'ALWAYS', 'NEVER']),
        drainingSeconds: z.int().positive(),
      }),
    })
    const { build } = Config.parse(JSON.parse(read('railway/railway.json')))
    expectLastTarget(build.dockerfilePath)
  })

  test('Render builds the image, keeps /data and makes a token', () => {
    const EnvVar = z.union([
      z.strictObject({ key: z.string(), value: z.string() }),
      z.strictObject({ key: z.string(), sync: z.literal(false) }),
      z.strictObject({ key: z.string(), generateValue: z.literal(true) }),
    ])
    const Web = z.strictObject({
      type: z.literal('web'),
      name: z.string(),
      runtime: z.literal('docker'),
      dockerfilePath: z.string(),
      dockerContext: z.literal('.'),
      plan: z.string(),
      numInstances: z.literal(1),
      healthCheckPath: z.literal('/health'),
      maxShutdownDelaySeconds: z.int().min(1).max(300),
      disk: z.strictObject({ name: z.string(), mountPath: z.literal('/data'), sizeGB: z.int().positive() }),
      envVars: z.array(EnvVar),
    })
    const { services } = z.strictObject({ services: z.tuple([Web]) }).parse(parse(read('render/render.yaml')))
    const [{ envVars, dockerfilePath }] = services
    expectSettings(envVars.map(({ key }) => key))
    expect(envVars).toContainEqual({ key: 'ADMIN_TOKEN', generateValue: true })
    expectLastTarget(dockerfilePath)
  })

  test('Umbrel leads its proxy to the server, with the password of the app', () => {
    const Manifest = z.strictObject({
      manifestVersion: z.literal(1),
      id: z.string().regex(/^[a-z-]+$/),
      category: z.enum(['files', 'finance', 'media', 'networking', 'social', 'automation', 'developer', 'ai']),
      name: z.string(),
      version: z.literal(version),
      tagline: z.string().max(100),
      description: z.string(),
      developer: z.string(),
      website: z.url(),
      dependencies: z.tuple([]),
      repo: z.url(),
      support: z.url(),
      port: z.int().positive(),
      gallery: z.array(z.string()),
      path: z.literal('/console/claim'),
      defaultUsername: z.literal(''),
      deterministicPassword: z.literal(true),
      releaseNotes: z.string(),
      submitter: z.string(),
      submission: z.url(),
    })
    const { id } = Manifest.parse(parse(read('umbrel/umbrel-app.yml')))
    const Compose = z.strictObject({
      version: z.literal('3.7'),
      services: z.strictObject({
        app_proxy: z.strictObject({
          environment: z.strictObject({
            APP_HOST: z.literal(`${id}_server_1`),
            APP_PORT: z.literal(8080),
            PROXY_AUTH_WHITELIST: z.string(),
          }),
        }),
        server: Service,
      }),
    })
    const { services } = Compose.parse(parse(read('umbrel/docker-compose.yml')))
    expect(services.server).toMatchObject({ user: '1000:1000', environment: { ADMIN_TOKEN: `\${APP_PASSWORD}` } })
  })

  test('CasaOS describes each variable, port and volume in both languages', () => {
    const App = z.strictObject({
      architectures: z.tuple([z.literal('amd64'), z.literal('arm64')]),
      main: z.literal('placefleet'),
      author: z.string(),
      developer: z.string(),
      category: z.string(),
      icon: z.string(),
      screenshot_link: z.array(z.string()),
      title: z.strictObject({ en_us: z.string() }),
      tagline: inLanguages,
      description: inLanguages,
      tips: z.strictObject({ before_install: inLanguages }),
      scheme: z.literal('http'),
      port_map: z.string(),
      index: z.literal('/console/claim'),
      store_app_id: z.literal('placefleet'),
    })
    const Described = Service.extend({
      'x-casaos': z.strictObject({
        envs: described('ADMIN_TOKEN'),
        ports: described('8080'),
        volumes: described('/data'),
      }),
    })
    const Compose = z.strictObject({
      name: z.literal('placefleet'),
      services: z.strictObject({ placefleet: Described }),
      volumes: z.strictObject({ 'placefleet-data': z.null() }),
      'x-casaos': App,
    })
    const { services, 'x-casaos': app } = Compose.parse(parse(read('casaos/docker-compose.yml')))
    expectSettings(namesIn(services.placefleet))
    expect(services.placefleet.ports?.[0].published).toBe(app.port_map)
  })
})

/** Both platforms build the last target of a Dockerfile. */
function expectLastTarget(dockerfile: string) {
  const targets = readFileSync(join(ROOT, dockerfile), 'utf8').matchAll(/^FROM \S+ AS (\S+)$/gm)
  expect([...targets].at(-1)?.[1]).toBe('placefleet')
}
