import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { decodeText } from '@placefleet/agent/website/fetch-page'
import { CookieJar } from 'tough-cookie'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { trustedAuthority } from '../../harness/network/trusted-authority.ts'

/** Characters of each class that the expressions for headers distinguish. */
const CLASSES = [' ', '\t', 'a', '1', '=', ';', ',', '"', "'", '%', '/', '.', 'charset', 'charset=', 'charset= ']
/** The headers of an answer that the agent reads, each with a beginning that makes it read on. */
const READ = {
  'content-type': 'text/html;charset=',
  'content-encoding': 'gzip',
  location: '/a',
  'set-cookie': 'a=b; Expires=',
} as const
const NAMES = ['content-type', 'content-encoding', 'location', 'set-cookie'] as const

let header: Record<string, string> = {}
let [plain, secure] = ['', '']

beforeAll(async () => {
  const identity = await (await trustedAuthority(afterAll)).issue(['127.0.0.1'])
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
async function fetched(url: string, name: keyof typeof READ, value: string) {
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

test.each(NAMES)('an answer with 60 kB of %s is no answer, over HTTP/1.1 and HTTP/2', async (name) => {
  const value = `${READ[name]}${' '.repeat(60_000)}!`
  await expect(fetched(plain, name, value)).rejects.toMatchObject({ fault: 'network' })
  await expect(fetched(secure, name, value)).rejects.toMatchObject({ fault: 'network' })
})

test.each(NAMES)('15 kB of no characters in %s cost ten times as much as letters', async (name) => {
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
