import type { Account, Session } from './account.ts'
import { openSession, pay } from './happenings.ts'

export type ApiAnswer = { status: number; body: unknown }

/** A call of the API. `asked`: its query or form. */
export type ApiCall = { method: string; path: string; asked: URLSearchParams; payPage: (id: string) => string }

/** Returns a failure as the API words it. */
export const apiError = (status: number, message: string, code?: string): ApiAnswer => ({
  status,
  body: { error: { type: 'invalid_request_error', message, ...(code === undefined ? {} : { code }) } },
})

/** Answers a call of the API, of those that selling credits takes. */
export function answerCall(account: Account, { method, path, asked, payPage }: ApiCall): ApiAnswer {
  const listed = {
    'GET /v1/checkout/sessions': () => [...account.sessions.values()],
    'GET /v1/refunds': () => [...account.refunds.values()],
    'GET /v1/disputes': () => [...account.disputes.values()],
    'GET /v1/events': () => [...account.events],
  }
  const all = Object.entries(listed).find(([call]) => call === `${method} ${path}`)?.[1]
  if (all) return list(account, all(), asked)
  if (`${method} ${path}` === 'POST /v1/checkout/sessions')
    return { status: 200, body: openSession(account, sessionIn(asked), payPage) }
  const session = account.sessions.get(path.replace('/v1/checkout/sessions/', ''))
  return session ? { status: 200, body: expanded(account, session, asked) } : apiError(404, path, 'resource_missing')
}

function sessionIn(asked: URLSearchParams) {
  const text = (name: string) => asked.get(name) ?? ''
  const item = { quantity: 'line_items[0][quantity]', unit_amount: 'line_items[0][price_data][unit_amount]' }
  return {
    mode: text('mode'),
    currency: text('line_items[0][price_data][currency]'),
    line_items: [{ quantity: Number(text(item.quantity)), unit_amount: Number(text(item.unit_amount)) }],
    client_reference_id: asked.get('client_reference_id'),
    metadata: Object.fromEntries(
      [...asked].flatMap(([name, value]) => {
        const member = /^metadata\[(\w+)\]$/.exec(name)?.[1]
        return member === undefined ? [] : [[member, value]]
      }),
    ),
    success_url: text('success_url'),
    cancel_url: text('cancel_url'),
  }
}

/** Returns a session, with its payment and charge when these are asked for. */
function expanded({ payments, charges }: Account, session: Session, asked: URLSearchParams): object {
  const payment = payments.get(session.payment_intent ?? '')
  if (!payment || !asked.get('expand[0]')?.endsWith('payment_intent.latest_charge')) return session
  return { ...session, payment_intent: { ...payment, latest_charge: charges.get(payment.latest_charge ?? '') ?? null } }
}

type Listed = Session | { id: string; created: number; type?: string; status?: string; payment_intent?: string | null }

/** A page of a list, newest first, as `limit` and `starting_after` ask. */
function list(account: Account, all: Listed[], asked: URLSearchParams): ApiAnswer {
  const types = [...asked].flatMap(([name, value]) => (name.startsWith('types[') ? [value] : []))
  const [status, payment] = [asked.get('status'), asked.get('payment_intent')]
  const newestFirst = all
    .reverse()
    .filter(
      (item) =>
        (types.length === 0 || ('type' in item && types.includes(item.type ?? ''))) &&
        (status === null || ('status' in item && item.status === status)) &&
        (payment === null || ('payment_intent' in item && item.payment_intent === payment)) &&
        item.created >= Number(asked.get('created[gte]')),
    )
  const rest = newestFirst.slice(newestFirst.findIndex((item) => item.id === asked.get('starting_after')) + 1)
  const page = rest.slice(0, Math.min(Number(asked.get('limit') ?? 10), account.mostOnPage))
  const data = page.map((item) => ('line_items' in item ? expanded(account, item, asked) : item))
  return { status: 200, body: { object: 'list', has_more: rest.length > page.length, data } }
}

/** An answer of the page on which a session is paid: a button, and the way back once it is pressed. */
export function answerPage(account: Account, method: string, session_id: string) {
  const session = account.sessions.get(session_id)
  if (session?.status !== 'open') return { status: 410, headers: {}, body: 'This checkout is over.' }
  if (method === 'POST') {
    pay(account, session_id)
    const location = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session_id)
    return { status: 303, headers: { location }, body: '' }
  }
  const total = `${(session.amount_total / 100).toFixed(2)} ${session.currency.toUpperCase()}`
  const body = `<!doctype html><title>Checkout</title><p>${total}</p><form method="post"><button>Pay</button></form>`
  return { status: 200, headers: { 'content-type': 'text/html' }, body }
}
