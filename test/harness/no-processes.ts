import { ChildProcess } from 'node:child_process'
import { afterAll, expect, vi } from 'vitest'

/** The files that may start processes. */
const WITH_PROCESSES = /\.(services|e2e)\.test\.ts$/

/** Prevents all other tests from starting processes. So they stay fast, without servers and browsers. */
if (!WITH_PROCESSES.test(expect.getState().testPath ?? '')) {
  const spawn = Object.getOwnPropertyDescriptor(ChildProcess.prototype, 'spawn') ?? {}
  const refuse = () => {
    throw new Error('This test may start no process. If it must, end its name with .services.test.ts.')
  }
  Object.defineProperty(ChildProcess.prototype, 'spawn', { ...spawn, value: refuse })
  vi.stubEnv('CHROMIUM_PATH', undefined) // the agent would start it to read its version
  afterAll(() => {
    Object.defineProperty(ChildProcess.prototype, 'spawn', spawn)
    vi.unstubAllEnvs()
  })
}
