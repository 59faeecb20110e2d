import { readConfig } from '@placefleet/coordinator/config'
import { ConfigError } from '@placefleet/shared/config'
import { expect, test } from 'vitest'

const NEEDED = { MONGODB_URL: 'mongodb://db/', NATS_URL: 'nats://queue' }

test('a coordinator needs its servers, is closed to the world, and has the documented limits', () => {
  const config = readConfig(NEEDED)
  expect(config).toMatchObject({ HOST: '127.0.0.1', PORT: 8080, GRPC_PORT: 50_051 })
  expect(config.METRICS_PORT).toBeUndefined()
  expect([
    config.RATE_FREE,
    config.RATE_PAID,
    config.RATE_SESSION,
    config.RATE_JOB_CREATE,
    config.RATE_SUPPORT,
  ]).toEqual([
    { rate: 2, burst: 5 },
    { rate: 10, burst: 30 },
    { rate: 5, burst: 20 },
    { rate: 1, burst: 3 },
    { rate: 0.0167, burst: 3 },
  ])
  expect([config.EGRESS_ALLOW_HOSTS, config.TRUSTED_PROXIES, config.BOOTSTRAP_CREDITS]).toEqual([new Set(), [], '0'])
})

test('settings are read as the settings page writes them', () => {
  const env = {
    ...NEEDED,
    RATE_FREE: '100:200',
    RATE_SUPPORT: '0.5:1',
    EGRESS_ALLOW_HOSTS: 'localhost:9, 10.0.0.1 ,',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,',
    METRICS_PORT: '9464',
    PUBLIC_URL: 'https://fleet.example/',
    BOOTSTRAP_API_KEY: 'svc_local-development',
    BOOTSTRAP_CREDITS: '0.457',
    HOST: '',
  }
  expect(readConfig(env)).toMatchObject({
    RATE_FREE: { rate: 100, burst: 200 },
    RATE_SUPPORT: { rate: 0.5, burst: 1 },
    EGRESS_ALLOW_HOSTS: new Set(['localhost:9', '10.0.0.1']),
    TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
    METRICS_PORT: 9464,
    PUBLIC_URL: 'https://fleet.example',
    BOOTSTRAP_CREDITS: '0.457',
    HOST: '127.0.0.1',
  })
})

test.each([
  ['RATE_FREE', '2'],
  ['RATE_FREE', '0:5'],
  ['RATE_FREE', '2:0'],
  ['PORT', '65536'],
  ['MONGODB_URL', 'http://db'],
  ['MONGODB_URL', 'mongodb://root:half?of@db/'],
  ['NATS_URL', 'queue'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['AGENT_TOKEN', 'x'.repeat(23)],
  ['BOOTSTRAP_API_KEY', 'svc_short'],
  ['BOOTSTRAP_EMAIL', 'me'],
  ['SECRETS_KEY', 'c2hvcnQ='],
  ['BOOTSTRAP_CREDITS', '1e3'],
  ['BOOTSTRAP_CREDITS', '1000000.5'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ ...NEEDED, [name]: value })).toThrow(new RegExp(`1 wrong setting.*\\n *${name}: `))
})

test('all faults are reported at once, those of missing settings with their descriptions', () => {
  const read = () => readConfig({ PORT: 'x' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow('PORT: ')
  expect(read).toThrow('MONGODB_URL: is not set. Set it to the address of MongoDB')
  expect(read).toThrow('NATS_URL: is not set. Set it to the address of NATS')
})
