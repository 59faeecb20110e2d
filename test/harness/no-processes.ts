import { ChildProcess } from 'node:child_process'

/** Keeps unit tests what they are: quick, and without servers and browsers. */
Object.defineProperty(ChildProcess.prototype, 'spawn', {
  value: () => {
    throw new Error('A unit test starts no process. Import test/harness/servers or test/harness/browser.ts instead.')
  },
})
