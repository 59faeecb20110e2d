// @ts-check
// Ends a process whose parent has ended, even by SIGKILL, which nobody forwards.
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

const POLL_MS = 500

/**
 * Calls `end` once the parent process has ended. It does not keep the process alive.
 * @param {() => void} end
 */
export function whenOrphaned(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, POLL_MS)
  timer.unref()
}

// Preloaded into a program (`node --import`). SIGTERM lets it end in order. A thread has no parent of its own.
if (process.execArgv.includes(import.meta.url) && isMainThread) whenOrphaned(() => process.kill(process.pid, 'SIGTERM'))
