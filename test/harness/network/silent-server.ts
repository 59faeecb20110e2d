import { createServer } from 'node:net'
import { listenOnFreePort } from './serve.ts'

/**
 * Starts a server that accepts connections and never answers, like a frozen server. It is closed after the test.
 * Returns its address.
 */
export async function startSilentServer(): Promise<string> {
  return (await listenOnFreePort(createServer())).host
}
