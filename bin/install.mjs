// @ts-check
// Installs a folder with a lock of its own, unless it has what its lock says: node bin/install.mjs FOLDER. `npm ci`
// leaves these folders out, because nobody needs them who only runs the product. Plain JavaScript, because an old Node
// reads it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(import.meta.url)
const ROOT = dirname(dirname(HERE))

/**
 * The mark is written at the end, so an interrupted installation begins again. What npm says goes to stderr: a program
 * may print a document on stdout.
 * @param {string} folder from the root of the repository, or absolute
 * @throws Error when npm fails, for example because no registry answers
 */
export function install(folder) {
  const cwd = resolve(ROOT, folder)
  const mark = join(cwd, 'node_modules', '.installed')
  const hash = createHash('sha256')
    .update(readFileSync(join(cwd, 'package-lock.json')))
    .digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return
  console.error(`Installing what ${folder} needs (once) …`)
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd, stdio: ['ignore', 2, 2] })
  writeFileSync(mark, hash)
}

const [, program = '', folder] = process.argv
if (folder !== undefined && realpathSync(program) === HERE) install(folder)
