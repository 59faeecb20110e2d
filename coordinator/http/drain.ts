import type { Server } from './typed-server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    draining: { on: boolean }
  }
}

/**
 * Prepares a server for a graceful stop: while it drains, every response closes its connection. Otherwise closing waits
 * for the keep-alive timeout of each connection with a request in flight (fastify#7044).
 */
export function prepareDraining(app: Server): void {
  app.decorate('draining', { on: false })
  app.addHook('onSend', async (_request, reply) => {
    if (app.draining.on) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => startDraining(app))
}

/** Makes /health answer 503, so load balancers stop sending requests. Requests are still answered. */
export function startDraining(app: Server): void {
  app.draining.on = true
}

/**
 * Stops a server: accepts no new connections, finishes requests in flight, and cuts off those that remain after
 * `graceMs`.
 */
export async function closeServer(app: Server, graceMs: number): Promise<void> {
  startDraining(app)
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
