// Preloaded into a process (node --import) to shift its wall clock. The file JUMPING_CLOCK contains the offset in
// milliseconds and is read again on SIGUSR2. Timers are not affected, as on a machine whose time is set.
import { readFileSync } from 'node:fs'

const now = Date.now.bind(Date)
let offsetMs = 0

const read = () => {
  try {
    offsetMs = Number(readFileSync(process.env.JUMPING_CLOCK ?? '', 'utf8')) || 0
  } catch {
    offsetMs = 0 // the file does not exist yet
  }
}

read()
process.on('SIGUSR2', read)

Date.now = () => now() + offsetMs
globalThis.Date = new Proxy(Date, {
  construct: (date, args, newTarget) => Reflect.construct(date, args.length === 0 ? [Date.now()] : args, newTarget),
  apply: () => new Date().toString(),
})
