import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from './failures.ts'
import { requestIdOf } from './request-id.ts'

/** Answers a request with what was thrown, and logs what is our own fault. */
export function createFailureAnswer(isUnavailable: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers, body } = failureOf(error, isUnavailable)
    if (status === 503) request.log.warn({ err: error }, 'unavailable')
    else if (status >= 500) request.log.error({ err: error }, 'a request failed')
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .type('application/json; charset=utf-8')
      .send({ ...body, request_id: request.id })
  }
}

type ParseFailure = Error & { code?: string }

/** Answers what is not HTTP, or too slow or too large to become a request, and closes the connection. */
export function answerUnreadable(error: ParseFailure, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const request_id = requestIdOf()
  const body = JSON.stringify({ code: status, message: 'This is not a request that can be read.', request_id })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${request_id}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
