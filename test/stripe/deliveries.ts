import { createHmac } from 'node:crypto'
import type { Event } from './account.ts'

/** Where events are sent, and the secret they are signed with. */
export type Endpoint = { url: string; secret: string }

/** Returns the header that says who sent a body, and when. https://docs.stripe.com/webhooks#verify-manually */
export function signatureOf(body: string, secret: string, timestamp = Math.floor(Date.now() / 1_000)): string {
  const v1 = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return `t=${timestamp},v1=${v1}`
}

/** Sends an event once and gives the status of the answer; 0 when there was none. */
export async function deliver(event: Event, { url, secret }: Endpoint): Promise<number> {
  const body = JSON.stringify(event, null, 2) // Stripe sends it indented: who parses and writes it again breaks the signature
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signatureOf(body, secret),
  }
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
