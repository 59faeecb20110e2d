import type { Account } from './account.ts'
import { decodeForm, textOf } from './form.ts'
import { pay } from './happenings.ts'
import type { Session } from './objects.ts'

/** An answer of the payment page. */
export type PageAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Returns the page on which a session is paid: a form whose buttons pay at once, pay later, are declined, or go back.
 */
export function answerPage(account: Account, method: string, session_id: string, form: string): PageAnswer {
  const session = account.sessions.get(session_id)
  if (!session) return page(404, '<p>There is no such checkout.</p>')
  if (session.status !== 'open') return page(410, '<p>This checkout is over.</p>')
  if (method !== 'POST') return page(200, buttons(session))
  const outcome = textOf(decodeForm(form).outcome) ?? 'paid'
  if (outcome === 'declined') return page(402, `<p>Your card was declined.</p>${buttons(session)}`)
  if (outcome === 'back') return redirect(session.cancel_url)
  pay(account, session_id, outcome === 'later' ? 'later' : 'now')
  return redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session_id))
}

const redirect = (location: string): PageAnswer => ({ status: 303, headers: { location }, body: '' })

const page = (status: number, body: string): PageAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Checkout</title><h1>Checkout (stand-in for Stripe)</h1>${body}`,
})

const OUTCOMES = { paid: 'Pay', later: 'Pay by bank transfer', declined: 'Pay with a declined card', back: 'Back' }

function buttons({ line_items, amount_total, currency }: Session): string {
  const items = line_items.map(({ quantity, name }) => `<li>${quantity} × ${escaped(name)}</li>`).join('')
  const choices = Object.entries(OUTCOMES).map(
    ([value, text]) => `<button name="outcome" value="${value}">${text}</button>`,
  )
  const total = `${(amount_total / 100).toFixed(2)} ${currency.toUpperCase()}`
  return `<ul>${items}</ul><p>${total}</p><form method="post">${choices.join(' ')}</form>`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
