import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Makes a directory that is removed after the test, or after the file if `whenOver` is `afterAll`. Its path is short
 * enough for the unix sockets of the embedded servers.
 */
export function temporaryDir(whenOver: (end: () => void) => void = onTestFinished): string {
  const dir = mkdtempSync(join(tmpdir(), 'pf-test-'))
  // A server that was just killed may still write a file.
  whenOver(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return dir
}
