import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'

/** Coordinators may do everything, agents what `AGENT_PERMISSIONS` lists. */
export const USER = 'placefleet'
export const AGENT_USER = 'agents'

/** Lets the server choose a free one. */
export const ANY_PORT = -1

const Password = z.string().regex(/^[\w-]{16,}$/)
const Access = z.object({
  port: z.number().int().min(1).max(65_535),
  passwords: z.object({ [USER]: Password, [AGENT_USER]: Password }),
})

/** What clients of a NATS server must know: its port on 127.0.0.1, and the password of each user. */
export type NatsAccess = z.infer<typeof Access>

/** What was kept in the server's directory, so that clients find it again; on the first start new passwords on any port. */
export function keptAccess(dir: string): NatsAccess {
  try {
    return Access.parse(JSON.parse(readFileSync(fileIn(dir), 'utf8')))
  } catch {
    // Not there on the first start. One that somebody spoilt is as good as none: clients are given new URLs.
    return { port: ANY_PORT, passwords: { [USER]: newPassword(), [AGENT_USER]: newPassword() } }
  }
}

/** Keeps it for the next start, mode 0600, as a whole or not at all. */
export function keepAccess(dir: string, access: NatsAccess): void {
  const file = fileIn(dir)
  writeFileSync(`${file}.new`, JSON.stringify(access), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Whether somebody listens on, or otherwise has, a port of 127.0.0.1. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })
}

const fileIn = (dir: string) => join(dir, 'access.json')

const newPassword = () => randomBytes(24).toString('base64url')
