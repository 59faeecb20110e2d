import type { ServerResponse } from 'node:http'

/**
 * How the API misbehaves. `slow`: it answers correctly after a delay. `error`: 500. `busy`: 429. `refused`: 401.
 * `garbage`: 200 and no JSON. `wrong`: 200 and JSON of something else. `reset`: the connection is cut before anything
 * is done. `lost`: what was asked for is done, and the answer is lost. `drip`: an answer that trickles in for ever.
 */
export type Fault =
  | { kind: 'slow'; ms: number }
  | { kind: 'error' | 'busy' | 'refused' | 'garbage' | 'wrong' | 'reset' | 'lost' | 'drip' }

const BODIES = {
  error: [500, '{"error":{"type":"api_error","message":"Something went wrong on our end"}}'],
  busy: [429, '{"error":{"type":"invalid_request_error","code":"rate_limit","message":"Too many requests"}}'],
  refused: [401, '{"error":{"type":"invalid_request_error","message":"Invalid API Key provided"}}'],
  garbage: [200, '<html><body>ÿþ{{[[502 Bad Gateway</body></html>'],
  wrong: [200, '{"object":"list","data":{"id":7}}'],
} as const

/** Misbehaves, for every fault but `slow`, which only needs waiting. */
export function misbehave(response: ServerResponse, fault: Exclude<Fault, { kind: 'slow' }>): void {
  if (fault.kind === 'reset' || fault.kind === 'lost') {
    response.socket?.resetAndDestroy()
    return
  }
  if (fault.kind === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drop = setInterval(() => response.write(' '), 200)
    response.once('close', () => clearInterval(drop))
    return
  }
  const [status, body] = BODIES[fault.kind]
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
