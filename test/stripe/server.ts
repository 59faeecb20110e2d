import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from './account.ts'
import { type ApiAnswer, answerCall, apiError } from './answers.ts'
import { createDeliveries, type Endpoint } from './deliveries.ts'
import { type Fault, misbehave } from './faults.ts'
import { answerPage } from './pay-page.ts'

export type StripeOptions = {
  /** The secret key that calls must carry. */
  secretKey: string
  port?: number
  livemode?: boolean
}

/** A call the API got. */
export type SeenCall = {
  method: string
  path: string
  version: string
  idempotencyKey: string | undefined
  body: string
}

/** A Stripe on this machine: its API and payment page over HTTP, its account to be changed by whoever holds this. */
export type StandIn = Awaited<ReturnType<typeof startStripe>>

/** Starts a stand-in with an empty account. */
export async function startStripe({ secretKey, port = 0, livemode = false }: StripeOptions) {
  let deliveries: ReturnType<typeof createDeliveries> | undefined
  let fault: Fault | undefined
  let forbidden: string | undefined
  const account = createAccount(livemode, (event) => deliveries?.send(event))
  const answered = new Map<string, { request: string; answer: ApiAnswer }>()
  const calls: SeenCall[] = []

  /** Repeats the first answer to an idempotency key. Refuses the key with another request. */
  const answerOnce = (key: string | undefined, request: string, answer: () => ApiAnswer): ApiAnswer => {
    if (key === undefined) return answer()
    const known = answered.get(key)
    if (!known) answered.set(key, { request, answer: answer() })
    else if (known.request !== request) return apiError(400, 'idempotency_error', 'Keys are for one request only')
    return (known ?? answered.get(key))?.answer ?? answer()
  }
  const answerApi = async (request: IncomingMessage, response: ServerResponse, url: URL, form: string) => {
    const idempotencyKey = header(request, 'idempotency-key')
    const [method, path, query] = [request.method ?? 'GET', url.pathname, url.search.slice(1)]
    calls.push({ method, path, version: header(request, 'stripe-version') ?? '', idempotencyKey, body: form })
    const current: Fault | undefined = path === forbidden ? { kind: 'refused' } : fault
    if (current?.kind === 'slow') await sleep(current.ms)
    else if (current && current.kind !== 'lost') return misbehave(response, current)
    const authorized = header(request, 'authorization') === `Bearer ${secretKey}`
    const payPage = (id: string) => `${origin}/c/pay/${id}`
    const answer = authorized
      ? answerOnce(idempotencyKey, `${method} ${path} ${form}`, () =>
          answerCall(account, { method, path, query, form, payPage }),
        )
      : apiError(401, 'invalid_request_error', 'Invalid API Key provided')
    if (current?.kind === 'lost') return misbehave(response, current)
    const headers = { 'content-type': 'application/json', 'request-id': `req_${calls.length}` }
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body))
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const form = await bodyOf(request)
    const session_id = /^\/c\/pay\/(\w+)$/.exec(url.pathname)?.[1]
    if (session_id === undefined) return answerApi(request, response, url, form)
    const page = answerPage(account, request.method ?? 'GET', session_id, form)
    response.writeHead(page.status, page.headers).end(page.body)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${portOf(server.address())}`
  return {
    url: origin,
    account,
    /** Every call so far, oldest first. */
    calls,
    /** Misbehaves from now on; undefined: behaves again. */
    misbehave(next: Fault | undefined): void {
      fault = next
    },
    /** Refuses calls of one path, as for a key of restricted rights; undefined: of none. */
    forbid(path: string | undefined): void {
      forbidden = path
    },
    /** Sends events to this endpoint from now on; undefined: to none. */
    sendEventsTo(endpoint: Endpoint | undefined): void {
      deliveries = endpoint && createDeliveries(endpoint)
    },
    delivered: async (): Promise<void> => deliveries?.settled(),
    async close(): Promise<void> {
      await deliveries?.stop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port')
  return address.port
}
