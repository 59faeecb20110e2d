import { ChildProcess } from 'node:child_process'

/** Prevents unit tests from starting processes. So they stay fast, without servers and browsers. */
Object.defineProperty(ChildProcess.prototype, 'spawn', {
  value: () => {
    throw new Error('A unit test starts no process. Import test/harness/servers or test/harness/browser.ts instead.')
  },
})

delete process.env.CHROMIUM_PATH // the agent would start it to read its version
