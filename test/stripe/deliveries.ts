import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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

const ATTEMPTS = 8

/** Sends events as they happen, each until it is accepted. Stripe waits hours between attempts, we do not. */
export function createDeliveries(endpoint: Endpoint) {
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const deliverUntilAccepted = async (event: Event) => {
    for (let attempt = 0; attempt < ATTEMPTS && !stopping.signal.aborted; attempt++) {
      const status = await deliver(event, endpoint)
      if (status >= 200 && status < 300) return
      await sleep(50 * 2 ** attempt, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  return {
    send(event: Event): void {
      const delivery = deliverUntilAccepted(event).finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    },
    /** Waits until everything sent so far is accepted or given up. */
    async settled(): Promise<void> {
      await Promise.all(underWay)
    },
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}
