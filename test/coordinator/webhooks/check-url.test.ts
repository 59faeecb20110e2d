import { AppError } from '@placefleet/coordinator/http/errors'
import { checkWebhookUrl } from '@placefleet/coordinator/webhooks/check-url'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, onTestFinished, test, vi } from 'vitest'

const PUBLIC = '93.184.215.14'
const answering =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** Returns what is wrong with a URL; undefined when nothing is. */
async function fault(url: string, lookup = answering(PUBLIC), allowHosts = ALLOW_NONE) {
  try {
    await checkWebhookUrl(url, { allowHosts, lookup })
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error
    return error.details?.[0]
  }
}

test.each([
  'https://example.com',
  'HTTPS://EXAMPLE.COM/Hook',
  'https://example.com:8443/hook?key=a@b#top',
  'https://bücher.example/hook',
  `https://${PUBLIC}:1/`,
  'https://[2606:4700:4700::1111]/',
])('%s is accepted', async (url) => {
  expect(await fault(url)).toBeUndefined()
})

test.each([
  ['http://example.com', /https URL/],
  ['https:example.com', /https URL/],
  ['https:///example.com', /https URL/],
  ['https://user:pw@example.com/', /user name/],
  ['https://@example.com/', /user name/],
  ['https://exa\tmple.com/', /white space/],
  [' https://example.com/', /white space/],
  ['https://example.com/a\r\nx: y', /white space/],
  ['https://example.com\\@127.0.0.1/', /backslash/],
  ['https://example.com:65536/', /valid URL/],
  ['https://exa%00mple.com/', /valid URL/],
])('%j is refused for its form', async (url, message) => {
  expect(await fault(url)).toMatchObject({ path: 'url', message: expect.stringMatching(message) })
})

// All spellings are tested where the target is checked.
test.each(['127.0.0.1', '2130706433', '[::ffff:a9fe:a9fe]', 'LOCALHOST.', 'printer.local'])(
  '%s is not public',
  async (host) => {
    const message = expect.stringMatching(/public address.*WEBHOOK_ALLOW_HOSTS/)
    expect(await fault(`https://${host}/hook`)).toMatchObject({ message })
  },
)

test.each([
  ['a private address', ['10.0.0.1']],
  ['a private address among public ones', [PUBLIC, '192.168.1.1']],
  ['a private IPv6 address beside a public IPv4 one', [PUBLIC, 'fd00::1']],
])('a name that means %s is refused without saying so', async (_, addresses) => {
  const found = await fault('https://example.com', answering(...addresses))
  expect(found?.message).toMatch(/public address/)
  for (const address of addresses) expect(found?.message).not.toContain(address)
})

test('a name that cannot be resolved now is accepted, because every delivery resolves it again', async () => {
  const failing: Lookup = async () => Promise.reject(new Error('ENOTFOUND'))
  expect(await fault('https://example.com', failing)).toBeUndefined()
  expect(await fault('https://example.com', answering())).toBeUndefined()
})

test('a silent resolver delays no other request', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const silent: Lookup = () => Promise.withResolvers<never>().promise
  const checked = fault('https://example.com', silent)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await checked).toBeUndefined()
})

test('an exempt name may mean a private address', async () => {
  const allow = parseAllowHosts('hooks.example.com:8443')
  const lookup = answering('10.0.0.1')
  expect(await fault('https://hooks.example.com:8443/', lookup, allow)).toBeUndefined()
  expect(await fault('https://hooks.example.com/', lookup, allow)).toBeDefined()
})
