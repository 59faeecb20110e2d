import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'

/** The NATS users: coordinators have all permissions, agents only `AGENT_PERMISSIONS`. */
export const USER = 'placefleet'
export const AGENT_USER = 'agents'

/**
 * Below the ports that systems give to connections (Linux: from 32768; macOS and Windows: from 49152), so that no
 * connection takes the port of a server while it restarts.
 */
export const LASTING_PORTS = { first: 20_000, last: 32_767 }

const Password = z.string().regex(/^[\w-]{16,}$/)
const Access = z.object({
  port: z.number().int().min(1).max(65_535),
  passwords: z.object({ [USER]: Password, [AGENT_USER]: Password }),
})

/** The address of the embedded NATS: its port on 127.0.0.1 and the password of each user. */
export type NatsAccess = z.infer<typeof Access>

/**
 * Reads the address of the last start, so that clients find the server again. The first start gets a free port and new
 * passwords.
 */
export async function readAccess(dir: string): Promise<NatsAccess> {
  try {
    return Access.parse(JSON.parse(readFileSync(fileIn(dir), 'utf8')))
  } catch {
    // The file is missing on the first start. A damaged file counts as missing: clients get new URLs.
    return { port: await freePort(), passwords: { [USER]: newPassword(), [AGENT_USER]: newPassword() } }
  }
}

/** Stores the address for the next start (mode 0600), atomically. */
export function writeAccess(dir: string, access: NatsAccess): void {
  const file = fileIn(dir)
  writeFileSync(`${file}.new`, JSON.stringify(access), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Returns a port of 127.0.0.1 that a server can keep. */
export async function freePort(): Promise<number> {
  const port = randomInt(LASTING_PORTS.first, LASTING_PORTS.last + 1)
  return (await isTaken(port)) ? freePort() : port
}

/** Returns whether a port of 127.0.0.1 is in use. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })
}

const fileIn = (dir: string) => join(dir, 'access.json')

const newPassword = () => randomBytes(24).toString('base64url')
