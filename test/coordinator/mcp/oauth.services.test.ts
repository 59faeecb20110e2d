import { createHash, randomBytes } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { FOR_CLIENTS } from '@placefleet/coordinator/auth/oauth/metadata'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { assistant } from './assistant.ts'
import { person } from './person.ts'

const world = await startWorld(afterAll)
const { url } = await addCoordinator(world)

const REDIRECT = 'https://assistant.example/callback'

const transportOf = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider })

test('an assistant that knows only the address signs in by OAuth, and acts for the person who approved it', async () => {
  const { memory, provider } = assistant(REDIRECT)
  const client = new Client({ name: 'test', version: '1' })
  const first = transportOf(provider)
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)

  const { decide } = await person(world.db, url, 'operator')
  const back = await decide(memory.visited, 'approve')
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'a state & more', iss: url })
  await first.finishAuth(back.searchParams.get('code') ?? '')

  await client.connect(transportOf(provider))
  expect((await client.callTool({ name: 'get_balance', arguments: {} })).structuredContent).toMatchObject({
    available: '1000.000000',
  })
  await client.close()
  const key = { authorization: `Bearer ${memory.tokens?.access_token}` }
  expect((await fetch(`${url}/api/v1/admin/exits`, { headers: key })).status).toBe(403)
})

const Registered = z.object({ client_id: z.string() })

const registered = async (redirect_uri: string) =>
  fetch(`${url}/auth/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Ada’s assistant', redirect_uris: [redirect_uri], scope: 'ignored' }),
  })

/** Registers a client, and returns its authorization address and its exchange of a code. */
async function registeredClient() {
  const { client_id } = Registered.parse(await (await registered(REDIRECT)).json())
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT,
    code_challenge,
    code_challenge_method: 'S256',
  }
  const address = (change: object = {}) =>
    new URL(`/auth/oauth/authorize?${new URLSearchParams({ ...asked, ...change })}`, url)
  const exchange = (code: string | null, change: object = {}) =>
    fetch(`${url}/auth/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: code ?? '',
        client_id,
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        ...change,
      }),
    })
  return { address, exchange }
}

test('a code works once, for its client, its address and its verifier only', async () => {
  const { address, exchange } = await registeredClient()
  const other = Registered.parse(await (await registered('https://other.example/')).json())
  const { decide } = await person(world.db, url)
  const code = (await decide(address(), 'approve')).searchParams.get('code')
  const wrong = [
    { code: `${code}x` },
    { code: code?.split('.')[0] },
    { client_id: other.client_id },
    { redirect_uri: 'https://other.example/' },
    { code_verifier: 'x'.repeat(43) },
  ]
  for (const change of wrong) {
    const refused = await exchange(code, change)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' })
  }
  const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
})

test('a person who refuses goes back without a code', async () => {
  const { address } = await registeredClient()
  const back = await (await person(world.db, url)).decide(address({ state: 's' }), 'deny')
  expect(back.origin).toBe('https://assistant.example')
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's', iss: url })
})

test.each([
  ['http://assistant.example/', 400],
  ['javascript:alert(1)', 400],
  ['https://a.example/#x', 400],
  ['https://u:p@a.example/', 400],
  ['a', 400],
  ['http://localhost:4000/callback', 201],
  ['http://127.0.0.1/', 201],
  ['http://[::1]:1/', 201],
])('a client that registers the address %s is answered with %i', async (redirect_uri, status) => {
  expect((await registered(redirect_uri)).status).toBe(status)
})

test('an unknown client or address is told to the person, any other fault to the client', async () => {
  const { address } = await registeredClient()
  const { visit } = await person(world.db, url)
  for (const change of [{ redirect_uri: 'https://evil.example/' }, { client_id: 'x.y' }]) {
    expect((await visit(address(change))).status).toBe(400)
  }
  for (const change of [{ code_challenge_method: 'plain' }, { response_type: 'token' }, { code_challenge: 'short' }]) {
    const back = new URL((await visit(address(change))).headers.get('location') ?? '')
    expect(back.origin).toBe('https://assistant.example')
    expect(back.searchParams.get('error')).toBe('invalid_request')
  }
})

test('a page of another site may call what assistants call, with a key and never with a cookie', async () => {
  const origin = 'https://inspector.example'
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  for (const path of ['/mcp', ...FOR_CLIENTS]) {
    const preflight = await fetch(`${url}${path}`, { method: 'OPTIONS', headers: asked })
    expect([path, preflight.status]).toEqual([path, 204])
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/i)
    for (const { headers } of [preflight, await fetch(`${url}${path}`, { headers: { origin } })]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  }
})

test('no page of another site reads any other path', async () => {
  const asked = { origin: 'https://a.example', 'access-control-request-method': 'POST' }
  for (const path of ['/api/v1/jobs', '/auth/session', '/auth/oauth/authorize', '/auth/oauth/return', '/mcp/x']) {
    const preflight = await fetch(`${url}${path}`, { method: 'OPTIONS', headers: asked })
    expect([path, preflight.status >= 400, preflight.headers.get('access-control-allow-origin')]).toEqual([
      path,
      true,
      null,
    ])
  }
})
