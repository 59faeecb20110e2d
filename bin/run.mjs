#!/usr/bin/env node
// @ts-check
// Starts a program with the Node that `npm ci` installed: node bin/run.mjs PROGRAM [arguments]. The sources are
// TypeScript, which an older Node cannot read, so this file is plain JavaScript.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { whenOrphaned } from './end-with-parent.mjs'
import { install } from './install.mjs'
import { PROGRAMS, VITEST } from './programs.mjs'

/** @typedef {import('./programs.mjs').Program} Program */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * The signals that a user, a terminal or a supervisor sends.
 * @type {readonly NodeJS.Signals[]}
 */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT']

/**
 * The Node of the package that npm installs for this machine. npm before 11.6 does not link it below `.bin`.
 * @returns {string | undefined}
 */
function shippedNode() {
  const name = `node-${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const manifest = require.resolve(`${name}/package.json`)
    return join(dirname(manifest), require(manifest).bin.node)
  } catch {
    return undefined // left out by --omit=optional, or there is none for this machine
  }
}

/** Whether this Node reads TypeScript: from 22.18 on, and in every later major version. */
function readsTypeScript() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 22 ? major > 23 || minor >= 6 : major === 22 && minor >= 18
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exit(2)
}

const TOO_OLD = `Placefleet needs Node 22.18 or newer; this is Node ${process.versions.node}. \
Install Node 24, or run \`npm ci\` without leaving out optional packages: on Linux (x64 and arm64) they bring Node 24.`

/**
 * What to start: a file, its arguments and its environment.
 * @param {Program} program
 * @param {readonly string[]} args
 * @param {boolean} isTied whether the program ends with its parent
 */
function commandOf({ main, args: first = [], flags = [], env = {} }, args, isTied) {
  const preload = isTied ? ['--import', new URL('./end-with-parent.mjs', import.meta.url).href] : []
  return {
    args: [...flags, ...preload, join(ROOT, main), ...first, ...args],
    env: {
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'),
      ...env,
      ...process.env,
    },
  }
}

/**
 * Runs the program as a child, passes every signal on, and ends as it ends. The child has a process group of its own:
 * Ctrl-C in a terminal would else reach it twice, and a second one ends a program at once.
 * @param {string} node
 * @param {ReturnType<typeof commandOf>} command
 */
function runChild(node, { args, env }) {
  const child = spawn(node, args, { env, stdio: 'inherit', detached: process.platform !== 'win32' })
  child.on('error', (error) => fail(`${node} did not start: ${error.message}`))
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal))
  process.on('SIGTSTP', () => {
    child.kill('SIGSTOP')
    process.kill(process.pid, 'SIGSTOP')
  })
  if (process.env.npm_lifecycle_event) whenOrphaned(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const [name = '', ...args] = process.argv.slice(2)
const program = Object.entries(PROGRAMS).find(([key]) => key === name)?.[1]
if (!program)
  fail(`Usage: node bin/run.mjs PROGRAM [arguments]\nThe programs are: ${Object.keys(PROGRAMS).join(', ')}.`)
else {
  const node = shippedNode() ?? (readsTypeScript() ? process.execPath : undefined)
  if (program.main === VITEST || program.main.startsWith('test/')) install('test')
  if (node === undefined) fail(TOO_OLD)
  else if (process.execve && process.platform !== 'win32') {
    // The program takes the place of this process. npm forwards no SIGKILL, so the program ends when npm has ended.
    const command = commandOf(program, args, process.env.npm_lifecycle_event !== undefined)
    process.execve(node, [node, ...command.args], command.env)
  } else runChild(node, commandOf(program, args, true))
}
