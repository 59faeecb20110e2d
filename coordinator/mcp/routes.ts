import { Readable } from 'node:stream'
import { challengeOf, originOf } from '../auth/oauth/metadata.ts'
import { accountOf, unauthorized } from '../http/authentication.ts'
import { errorResponse } from '../http/error-handler.ts'
import { AppError } from '../http/errors.ts'
import type { Server } from '../http/typed-server.ts'
import { idempotencyKey } from '../jobs/idempotency.ts'
import { callsFor, type McpCallsDeps } from './calls.ts'

/** The path of the protocol. */
export const MCP = '/mcp'

type McpRoutesOptions = McpCallsDeps & {
  version: string
  publicUrl: string | undefined
  isUnavailable: (error: unknown) => boolean
}

/**
 * `POST /mcp`: the Model Context Protocol over stateless streamable HTTP, for clients of the current protocol version and
 * of earlier ones. A request has one message, which is authenticated, rate-limited and logged like any request of the
 * API. Failures outside a tool are JSON-RPC errors, the only ones that clients show.
 */
export async function mcpRoutes(app: Server, options: McpRoutesOptions): Promise<void> {
  const { version, publicUrl, isUnavailable } = options
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = errorResponse(error, isUnavailable)
    if (status >= 500) request.log.error({ err: error }, 'an MCP request failed')
    const data = { ...body, request_id: request.id }
    reply.headers(headers)
    if (status === 401) reply.header('www-authenticate', challengeOf(originOf(request, publicUrl)))
    const rpcError = { code: rpcCode(status), message: body.message, data }
    return reply.code(status).send({ jsonrpc: '2.0', id: null, error: rpcError })
  })
  app.post(MCP, { schema: { hide: true }, config: { waits: true } }, async (request, reply) => {
    if (Array.isArray(request.body)) {
      throw new AppError('bad_request', 'Send one message in a request. JSON-RPC batches are not supported.')
    }
    const account = accountOf(request)
    if (account.key_id === undefined) throw unauthorized() // browser sessions are for the console only
    const { createMcpHandler, createMcpServer } = await loadSdk()
    const describeError = (error: unknown) => {
      const { status, body } = errorResponse(error, isUnavailable)
      if (status >= 500) request.log.error({ err: error }, 'an MCP tool failed')
      return body
    }
    const origin = originOf(request, publicUrl)
    if (!URL.canParse(origin)) throw new AppError('bad_request', 'The Host header is not the name of a host.')
    const [parent] = request.raw.headersDistinct.traceparent ?? []
    const key = idempotencyKey(request.raw.headersDistinct['idempotency-key'])
    const calls = callsFor(options, account, { parent, key, origin })
    const server = () => createMcpServer({ calls, version, describeError })
    // The server sends no notifications, so subscriptions are refused: they would stay open forever.
    const onerror = (error: Error) => request.log.warn({ err: error }, 'refused an MCP message')
    const handler = createMcpHandler(server, { maxSubscriptions: 0, onerror })
    const answer = await handler.fetch(webRequest(`${origin}${MCP}`, request.headers, request.body))
    reply.code(answer.status).headers(Object.fromEntries(answer.headers))
    return reply.send(answer.body === null ? undefined : Readable.fromWeb(answer.body))
  })
}

/** Returns the JSON-RPC error code: an internal error, an implementation-defined one, or an invalid request. */
function rpcCode(status: number): number {
  if (status >= 500) return -32603
  return status === 429 ? -32000 : -32600
}

/** Loads the SDK with the first message, because it is large. */
async function loadSdk() {
  const [sdk, server] = await Promise.all([import('@modelcontextprotocol/server'), import('./server.ts')])
  return { ...sdk, ...server }
}

function webRequest(url: string, headers: NodeJS.Dict<string | string[]>, body: unknown): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'content-length' ? [[name, value] satisfies [string, string]] : [],
  )
  return new Request(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
}
