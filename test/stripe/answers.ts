import type { Account } from './account.ts'
import { decodeForm, type FormValue, listOf, membersOf, textOf } from './form.ts'
import { expire, openSession, refund } from './happenings.ts'
import type { StripeObject } from './objects.ts'

/** An answer of the API. */
export type ApiAnswer = { status: number; body: unknown }

export type ApiCall = { method: string; path: string; query: string; form: string; payPage: (id: string) => string }

/** Returns a failure as the API words it. */
export const apiError = (status: number, type: string, message: string, code?: string): ApiAnswer => ({
  status,
  body: { error: { type, message, ...(code === undefined ? {} : { code }) } },
})

const missing = (id: string) => apiError(404, 'invalid_request_error', `No such object: '${id}'`, 'resource_missing')
const invalid = (message: string) => apiError(400, 'invalid_request_error', message, 'parameter_invalid')

/** Answers a call of the API, of those that buying credits takes. */
export function answerCall(account: Account, { method, path, query, form, payPage }: ApiCall): ApiAnswer {
  const parameters = decodeForm(method === 'GET' ? query : form)
  const [, resource = '', id = '', action = ''] =
    /^\/v1\/(checkout\/sessions|\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? []
  const call = `${method} ${resource}${id ? '/:id' : ''}${action ? `/${action}` : ''}`
  const expanded = (object: StripeObject) => ({ status: 200, body: expand(account, object, expansions(parameters)) })
  switch (call) {
    case 'POST checkout/sessions':
      return createSession(account, parameters, payPage)
    case 'GET checkout/sessions':
      return list(account, [...account.sessions.values()], parameters, path)
    case 'GET payment_intents':
      return list(account, [...account.payments.values()], parameters, path)
    case 'GET refunds':
      return list(account, [...account.refunds.values()], parameters, path)
    case 'GET disputes':
      return list(account, [...account.disputes.values()], parameters, path)
    case 'GET events':
      return list(account, account.events, parameters, path)
    case 'POST refunds':
      return createRefund(account, parameters)
    case 'GET checkout/sessions/:id/line_items':
      return lineItems(account, id)
    case 'POST checkout/sessions/:id/expire': {
      const session = account.sessions.get(id)
      if (session?.status === 'open') expire(account, id)
      return session ? expanded(session) : missing(id)
    }
    default: {
      const found = method === 'GET' && action === '' ? find(account, id) : undefined
      return found ? expanded(found) : missing(id || path)
    }
  }
}

function find({ sessions, payments, charges, refunds, disputes, events }: Account, id: string) {
  const object = sessions.get(id) ?? payments.get(id) ?? charges.get(id) ?? refunds.get(id) ?? disputes.get(id)
  return object ?? events.find((event) => event.id === id)?.data.object
}

function createSession(account: Account, given: Record<string, FormValue>, payPage: (id: string) => string): ApiAnswer {
  const items = listOf(given.line_items).map((item) => {
    const { quantity, price_data } = membersOf(item)
    const { currency, unit_amount, product_data } = membersOf(price_data)
    const name = textOf(membersOf(product_data).name) ?? ''
    return { quantity: Number(quantity), unit_amount: Number(unit_amount), currency: textOf(currency), name }
  })
  const [first] = items
  if (textOf(given.mode) !== 'payment' || !first) return invalid('mode must be payment, with line items')
  if (items.some((item) => !(item.quantity > 0) || !(item.unit_amount >= 0) || !item.name))
    return invalid('a line item is wrong')
  const [success_url, cancel_url] = [textOf(given.success_url), textOf(given.cancel_url)]
  if (!success_url || !URL.canParse(success_url)) return invalid('Not a valid URL: success_url')
  const session = openSession(
    account,
    {
      mode: 'payment',
      currency: first.currency ?? '',
      line_items: items,
      client_reference_id: textOf(given.client_reference_id) ?? null,
      metadata: texts(given.metadata),
      success_url,
      cancel_url: cancel_url ?? '',
    },
    payPage,
  )
  return { status: 200, body: expand(account, session, expansions(given)) }
}

function createRefund(account: Account, { payment_intent, amount }: Record<string, FormValue>): ApiAnswer {
  const charge = account.charges.get(account.payments.get(textOf(payment_intent) ?? '')?.latest_charge ?? '')
  if (!charge) return missing(textOf(payment_intent) ?? '')
  try {
    return { status: 200, body: refund(account, charge, amount === undefined ? undefined : Number(amount)) }
  } catch (error) {
    return invalid(error instanceof Error ? error.message : 'refused')
  }
}

function lineItems(account: Account, id: string): ApiAnswer {
  const items = account.sessions.get(id)?.line_items
  if (!items) return missing(id)
  const data = items.map((item) => ({ object: 'item', ...item, amount_total: item.quantity * item.unit_amount }))
  return { status: 200, body: { object: 'list', data, has_more: false } }
}

const texts = (value: FormValue | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(membersOf(value)).map(([name, inner]) => [name, textOf(inner) ?? '']))

const expansions = (given: Record<string, FormValue>): string[] =>
  listOf(given.expand).flatMap((path) => textOf(path) ?? [])

/** An object with the ids at these paths replaced by what they name. */
function expand(account: Account, object: object, paths: string[]): object {
  const copy: Record<string, unknown> = { ...object }
  for (const [name, inner] of Map.groupBy(paths, (path) => path.split('.')[0] ?? '')) {
    const id = copy[name]
    const found = typeof id === 'string' ? find(account, id) : undefined
    const deeper = inner.flatMap((path) => path.split('.').slice(1).join('.') || [])
    if (found) copy[name] = expand(account, found, deeper)
  }
  return copy
}

type Listed = { id: string; created: number; type?: string; status?: string; payment_intent?: string | null }

/** A page of a list, newest first, as `limit` and `starting_after` ask. */
function list(account: Account, all: (Listed & object)[], given: Record<string, FormValue>, url: string): ApiAnswer {
  const types = listOf(given.types)
  const { gte } = membersOf(given.created)
  const matching = all.filter(
    (item) =>
      (types.length === 0 || types.includes(item.type ?? '')) &&
      (given.status === undefined || item.status === given.status) &&
      (given.payment_intent === undefined || item.payment_intent === given.payment_intent) &&
      (gte === undefined || item.created >= Number(gte)),
  )
  const newestFirst = matching.reverse()
  const after = newestFirst.findIndex((item) => item.id === given.starting_after)
  const rest = newestFirst.slice(after + 1)
  const page = rest.slice(0, Math.min(Number(given.limit ?? 10), account.mostOnPage))
  const inner = expansions(given).flatMap((path) => (path.startsWith('data.') ? path.slice(5) : []))
  const data = page.map((item) => expand(account, item, inner))
  return { status: 200, body: { object: 'list', url, has_more: rest.length > page.length, data } }
}
