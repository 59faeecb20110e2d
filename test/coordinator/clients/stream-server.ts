import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns a server of this test alone. */
export async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns the lines of a job's stream as a coordinator sends them, with a sign of life among them. */
export function recordedLines(places: number): string[] {
  const progress = (result_count: number) => ({ type: 'progress', status: 'running', result_count })
  const place = (position: number) => ({
    type: 'place',
    position,
    place: { id: position, title: `Café Süß ${position}` },
  })
  const numbers = Array.from({ length: places }, (_, index) => index + 1)
  const events = [progress(0), ...numbers.flatMap((n) => [place(n), progress(n)]), { type: 'end', status: 'completed' }]
  const lines = events.map((event) => `${JSON.stringify(event)}\n`)
  return lines.toSpliced(3, 0, '\n')
}
