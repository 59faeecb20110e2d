import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Suites with their own commands, see CONTRIBUTING.md. */
const OTHER_COMMANDS = ['test/chaos/', 'test/deploy/engine/', 'test/python/', 'test/upgrade/', 'test/volume/']

type Project = 'unit' | 'services'

/** The text by which a test file, or a helper that it imports, is known to use a server or start another process. */
const SERVICES = /\binject\(|\b(findChromium|spawn|fork|execFile)\b|@placefleet\/deploy\/embedded\//

/**
 * Returns the test files of each project: `services` uses MongoDB, NATS, Chromium or other processes, `unit` starts no
 * process (harness/no-processes.ts holds that).
 */
export function testFilesByProject(): Record<Project, string[]> {
  const found: Record<Project, string[]> = { unit: [], services: [] }
  for (const file of globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    if (!OTHER_COMMANDS.some((folder) => file.startsWith(folder))) found[projectOf(file)].push(file)
  }
  return found
}

function projectOf(file: string): Project {
  const texts = [...withHelpers(file).values()]
  return texts.some((text) => SERVICES.test(text)) ? 'services' : 'unit'
}

/** Returns the text of the file and of all files of test/ that it imports, directly or not. */
function withHelpers(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found
  const text = readFileSync(join(ROOT, file), 'utf8')
  found.set(file, text)
  for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
    withHelpers(relative(ROOT, join(ROOT, dirname(file), specifier)), found)
  }
  return found
}
