// @ts-check
// Checks the sources: node test/check/main.mjs types|lint|unused|format. TypeScript, Biome and knip have a lock of
// their own, because nobody needs them who only runs the product: they are a tenth of its installation.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { install } from '../../bin/install.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))

/** @type {Partial<Record<string, readonly (readonly string[])[]>>} */
const STEPS = {
  types: [
    ['tsc', '--noEmit'],
    ['tsc', '--noEmit', '-p', 'coordinator/console'],
    ['tsc', '--noEmit', '-p', 'coordinator/clients/typescript'],
  ],
  lint: [['biome', 'check', '.']],
  unused: [['knip', '--no-progress']],
  format: [['biome', 'check', '--write', '.']],
}

const [, , step = '', ...more] = process.argv
const commands = STEPS[step]
if (!commands) {
  console.error(`There is no step "${step}". The steps are: ${Object.keys(STEPS).join(', ')}.`)
  process.exit(2)
}
install('test/check')
if (step === 'types') install('test') // the types of its packages
for (const [program = '', ...args] of commands) {
  const command = join(HERE, 'node_modules', '.bin', program)
  const { status } = spawnSync(command, [...args, ...more], { cwd: dirname(dirname(HERE)), stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
