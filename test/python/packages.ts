import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PACKAGES = join(import.meta.dirname, '../../node_modules/.cache/python')

/** Runs a program to its end. @throws an error with its output when it fails. */
export const run = promisify(execFile)

/** Returns the path of a program of the virtual environment. */
export const program = (name: string): string => join(PACKAGES, 'bin', name)

/** Installs the packages of requirements.txt into a virtual environment, which stays for the next run. */
export async function installPackages(): Promise<void> {
  mkdirSync(PACKAGES, { recursive: true })
  await run('python3', ['-m', 'venv', PACKAGES])
  await run(program('pip'), ['install', '--quiet', '-r', join(import.meta.dirname, 'requirements.txt')])
}
