// Preloaded into a process (node --import) whose wall clock is to jump: the file JUMPING_CLOCK holds by how many
// milliseconds it is off, and is read again at SIGUSR2. Timers go on as they are, as on a machine whose time is set.
import { readFileSync } from 'node:fs'

const now = Date.now.bind(Date)
let offsetMs = 0

const read = () => {
  try {
    offsetMs = Number(readFileSync(process.env.JUMPING_CLOCK ?? '', 'utf8')) || 0
  } catch {
    offsetMs = 0 // nobody has written one yet
  }
}

read()
process.on('SIGUSR2', read)

Date.now = () => now() + offsetMs
globalThis.Date = new Proxy(Date, {
  construct: (date, args, newTarget) => Reflect.construct(date, args.length === 0 ? [Date.now()] : args, newTarget),
  apply: () => new Date().toString(),
})
