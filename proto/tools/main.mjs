// @ts-check
// Makes the contract from the proto files, or checks it: node tools/main.mjs generate|check.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { install } from '../../bin/install.mjs'

const TOOLS = dirname(fileURLToPath(import.meta.url))
const PROTO = dirname(TOOLS)
const CONTRACT = join('gen', 'placefleet', 'v1', 'fleet.ts')

/** @param {readonly string[]} args */
const buf = (...args) =>
  execFileSync(join(TOOLS, 'node_modules', '.bin', 'buf'), args, { cwd: PROTO, stdio: 'inherit' })

function check() {
  buf('lint')
  buf('format', '--diff', '--exit-code')
  const fresh = mkdtempSync(join(tmpdir(), 'placefleet-proto-'))
  try {
    buf('generate', '-o', fresh)
    if (readFileSync(join(PROTO, CONTRACT), 'utf8') !== readFileSync(join(fresh, CONTRACT), 'utf8'))
      throw new Error('The contract is not that of the proto files. Run `npm run generate`, and commit the result.')
  } finally {
    rmSync(fresh, { recursive: true })
  }
}

install('proto/tools')
if (process.argv[2] === 'generate') buf('generate')
else check()
