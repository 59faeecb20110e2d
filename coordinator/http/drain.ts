import type { Server } from './typed-server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    draining: { on: boolean }
  }
}

/**
 * Prepares a server for a stop that loses no request: from then on every response ends its connection. Without that,
 * closing waits for the keep-alive timeout of each connection that had a request in flight (fastify#7044).
 */
export function prepareDraining(app: Server): void {
  app.decorate('draining', { on: false })
  app.addHook('onSend', async (_request, reply) => {
    if (app.draining.on) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => startDraining(app))
}

/** Makes /health say 503, so that a load balancer sends no more; requests are still answered. */
export function startDraining(app: Server): void {
  app.draining.on = true
}

/** Stops a server: takes no new connections, answers what is in flight, and cuts off what is left after `graceMs`. */
export async function closeServer(app: Server, graceMs: number): Promise<void> {
  startDraining(app)
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
