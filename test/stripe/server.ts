import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { serve } from '../harness/network/serve.ts'
import { createAccount } from './account.ts'
import { type ApiAnswer, answerCall, answerPage, apiError } from './answers.ts'
import { deliver, type Endpoint } from './deliveries.ts'

/** The secret key that calls must carry. */
export const SECRET_KEY = 'sk_test_stand_in_for_stripe'

/**
 * How the API misbehaves. `slow`: it answers correctly after minutes. `reset`: the connection is cut before anything is
 * done. `lost`: what was asked for is done, and the answer is lost. `drip`: an answer that trickles in for ever.
 */
export type Fault = keyof typeof BODIES | 'slow' | 'reset' | 'lost' | 'drip'

const BODIES = {
  error: [500, '{"error":{"type":"api_error","message":"Something went wrong on our end"}}'],
  busy: [429, '{"error":{"type":"invalid_request_error","code":"rate_limit","message":"Too many requests"}}'],
  refused: [401, '{"error":{"type":"invalid_request_error","message":"Invalid API Key provided"}}'],
  garbage: [200, '<html><body>ÿþ{{[[502 Bad Gateway</body></html>'],
  wrong: [200, '{"object":"list","data":{"id":7}}'],
} as const

async function misbehave(response: ServerResponse, fault: Fault): Promise<void> {
  if (fault === 'slow') await sleep(600_000, undefined, { ref: false })
  else if (fault === 'reset' || fault === 'lost') response.socket?.resetAndDestroy()
  else if (fault === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drop = setInterval(() => response.write(' '), 200)
    response.once('close', () => clearInterval(drop))
  } else {
    const [status, body] = BODIES[fault]
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }
}

/** A call the API got. */
type SeenCall = { path: string; version: unknown; idempotencyKey: string }

/**
 * Starts a Stripe with an empty account on this machine: its API and payment page over HTTP. It ends with the
 * test, or with the file if `whenOver` is `afterAll`.
 */
export async function startStripe(whenOver: (end: () => Promise<void>) => void = onTestFinished) {
  const deliveries: Promise<number>[] = []
  let endpoint: Endpoint | undefined
  let fault: Fault | undefined
  let forbidden: string | undefined
  const account = createAccount((event) => void (endpoint && deliveries.push(deliver(event, endpoint))))
  const answered = new Map<string, ApiAnswer>()
  const calls: SeenCall[] = []

  const answerApi = async ({ method = '', headers }: IncomingMessage, url: URL, form: string) => {
    const payPage = (id: string) => `${url.origin}/c/pay/${id}`
    const asked = method === 'GET' ? url.searchParams : new URLSearchParams(form)
    const isAllowed = headers.authorization === `Bearer ${SECRET_KEY}` && url.pathname !== forbidden
    const idempotencyKey = String(headers['idempotency-key'] ?? '')
    calls.push({ path: url.pathname, version: headers['stripe-version'], idempotencyKey })
    if (!isAllowed) return apiError(401, 'Invalid API Key provided')
    const first = answered.get(idempotencyKey)
    const answer = first ?? answerCall(account, { method, path: url.pathname, asked, payPage })
    if (idempotencyKey !== '') answered.set(idempotencyKey, answer)
    return answer
  }
  const { url, close } = await serve(async (request, response) => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const form = await text(request)
    const session_id = /^\/c\/pay\/(\w+)$/.exec(asked.pathname)?.[1]
    if (session_id !== undefined) {
      const { status, headers, body } = answerPage(account, request.method ?? '', session_id)
      return void response.writeHead(status, headers).end(body)
    }
    if (fault && fault !== 'lost') return misbehave(response, fault)
    const answer = await answerApi(request, asked, form)
    if (fault === 'lost') return misbehave(response, fault)
    const headers = { 'content-type': 'application/json', 'request-id': `req_${calls.length}` }
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body))
  }, whenOver)
  return {
    url,
    account,
    /** Every call so far, oldest first. */
    calls,
    /** Misbehaves from now on; undefined: behaves again. */
    misbehave(next: Fault | undefined): void {
      fault = next
    },
    /** Refuses calls of one path, as for a key of restricted rights. */
    forbid(path: string): void {
      forbidden = path
    },
    /** Sends events to this endpoint from now on, each once. */
    sendEventsTo(receiver: Endpoint): void {
      endpoint = receiver
    },
    /** Waits until every event that was sent is answered. */
    delivered: async () => void (await Promise.all(deliveries)),
    close,
  }
}
