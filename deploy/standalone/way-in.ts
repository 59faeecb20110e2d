import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SignInLink } from '@placefleet/coordinator/auth/links'
import type { Lifecycle } from '@placefleet/shared/lifecycle'

export type WayInParts = { dataDir: string; life: Lifecycle; isTerminal: boolean }

/**
 * Says how to sign in to the console. A terminal shows the link itself. Any other output may be a log that is kept or
 * shipped, so there the link goes to a file that only its owner can read, and that goes when the process stops.
 */
export function wayIn({ url, expires_at }: SignInLink, { dataDir, life, isTerminal }: WayInParts): string {
  const rule = `It works once, until ${expires_at.toISOString()}; another one: npm run ops -- users sign-in-link`
  if (isTerminal) return `Sign in to the console: ${url}\n${rule}`
  const file = join(dataDir, 'sign-in-link')
  rmSync(file, { force: true }) // of a start that died
  writeFileSync(file, `${url}\n`, { flag: 'wx', mode: 0o600 })
  life.own('sign-in link', file, (path) => rmSync(path, { force: true }))
  return `A link to sign in to the console is in ${file}\n${rule}`
}
