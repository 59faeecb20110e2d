import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { decodeText } from '@placefleet/agent/website/fetch-page'
import { CookieJar } from 'tough-cookie'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../harness/network/certificates.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'

/** Characters of each class that the expressions for headers distinguish. */
const CLASSES = [' ', '\t', 'a', '1', '=', ';', ',', '"', "'", '%', '/', '.', 'charset', 'charset=', 'charset= ']
/** The headers of an answer that the agent reads, each with a beginning that makes it read on. */
const READ = {
  'content-type': 'text/html;charset=',
  'content-encoding': 'gzip',
  location: '/a',
  'set-cookie': 'a=b; Expires=',
} as const
type Read = keyof typeof READ

let header: Record<string, string> = {}
let [plain, secure] = ['', '']

beforeAll(async () => {
  const authority = await createAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  afterAll(() => setDefaultCACertificates(before))
  const identity = await authority.issue(['127.0.0.1'])
  const options = { ...identity, settings: { maxHeaderListSize: 100_000 } }
  const overTwo = createSecureServer(options, (_request, response) => {
    response.writeHead(200, header)
    response.end('text')
  })
  secure = `https://${(await listenOnFreePort(overTwo, afterAll)).host}/`
  const overOne = createServer((_request, response) => response.writeHead(200, header).end('text'))
  plain = (await listenOnFreePort(overOne, afterAll)).url
})

/** Fetches a page whose answer has this header. */
async function fetched(url: string, name: Read, value: string) {
  header = { [name]: value }
  const client = createHttpClient(createGuard(new Set(), url))
  onTestFinished(() => client.close())
  const { signal } = new AbortController()
  return client.fetch({ url, signal, cookies: new CookieJar(), timeoutMs: 5_000, maxBytes: 100 })
}

const filled = (characters: string, length: number) => `${characters.repeat(length).slice(0, length)}!`

/** Milliseconds below which a difference is noise; the quadratic expression took 6,800. */
const LEAST = 100

/** Returns the milliseconds of CPU. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const named = Object.keys(READ) as Read[]

test.each(named)('an answer with 60 kB of %s is no answer, over HTTP/1.1 and HTTP/2', async (name) => {
  const value = `${READ[name]}${' '.repeat(60_000)}!`
  await expect(fetched(plain, name, value)).rejects.toMatchObject({ fault: 'network' })
  await expect(fetched(secure, name, value)).rejects.toMatchObject({ fault: 'network' })
})

test.each(named)('15 kB of no characters in %s cost ten times as much as letters', async (name) => {
  const cost = (characters: string) =>
    costOf(() => fetched(secure, name, READ[name] + filled(characters, 15_000)).catch(() => undefined))
  const ordinary = await cost('a')
  for (const characters of CLASSES) {
    expect(await cost(characters), JSON.stringify(characters)).toBeLessThan(LEAST + 10 * ordinary)
  }
})

test.each(CLASSES)('a Content-Type of 64 kB of %j costs no more than one of letters', async (characters) => {
  const cost = (repeated: string) =>
    costOf(() => decodeText(Buffer.from('text'), `text/html;charset=${filled(repeated, 64_000)}`))
  expect(await cost(characters)).toBeLessThan(LEAST + 10 * (await cost('a')))
})

test('the charset of a Content-Type is read with spaces, quotes and in any case', () => {
  const body = Buffer.from([0xe4])
  for (const type of ['text/html; charset=latin1', 'text/html;CHARSET = "latin1"', "text/html;charset='latin1'"]) {
    expect(decodeText(body, type)).toBe('ä')
  }
})
