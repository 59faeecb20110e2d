import { monotonicNow } from '@placefleet/shared/timing'
import type { Request, Response } from 'playwright'
import type { FetchAnswer, FetchRequest } from '../../egress/http-client.ts'
import type { Answer } from '../answers/classify.ts'

/** One request to the map site and its answer, as they were sent. */
export type Exchange = {
  readonly by: 'http' | 'chromium'
  readonly request: {
    readonly url: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | undefined
  }
  /** Undefined when no answer came. Never rejects. */
  readonly answer: Promise<ExchangeAnswer | undefined>
}

/** Names of headers are in lower case. `ms`: from the request to the last byte. */
export type ExchangeAnswer = Answer & {
  readonly headers: Readonly<Record<string, string>>
  readonly ms: number
}

/** Called with each exchange. Whoever only collects places needs none. */
export type OnExchange = (exchange: Exchange) => void

export type HttpRequest = Pick<FetchRequest, 'url' | 'method' | 'headers' | 'priority' | 'body'>

export function httpExchange(request: HttpRequest, sent: Promise<FetchAnswer>): Exchange {
  const startedAt = monotonicNow()
  const { url, method = 'GET', headers = {}, body } = request
  return {
    by: 'http',
    request: { url: String(url), method, headers, body },
    answer: sent.then(
      ({ body: bytes, ...answer }) => ({ ...answer, text: bytes.toString('utf8'), ms: monotonicNow() - startedAt }),
      () => undefined,
    ),
  }
}

export function chromiumExchange(response: Response): Exchange {
  const request = response.request()
  return {
    by: 'chromium',
    request: {
      url: request.url(),
      method: request.method(),
      headers: request.headers(),
      body: request.postData() ?? undefined,
    },
    answer: readAnswer(request, response).catch(() => undefined), // its page is closed
  }
}

async function readAnswer(request: Request, response: Response): Promise<ExchangeAnswer> {
  const headers = await response.allHeaders()
  const text = await response.text().catch(() => '') // Chromium keeps no body of a redirect
  const ms = Math.max(0, request.timing().responseEnd)
  return { url: response.url(), status: response.status(), headers, text, ms }
}
