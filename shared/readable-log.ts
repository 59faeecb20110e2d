import { z } from 'zod'

/** The members of a log line that a terminal does not show: those that each line has, and the long ones of errors. */
const UNSHOWN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err', 'request_id', 'trace_id', 'span_id'])

const LEVELS: ReadonlyMap<number, string> = new Map([
  [40, 'warning: '],
  [50, 'error: '],
  [60, 'error: '],
])

const INFO = 30

const Line = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  err: z.looseObject({ message: z.string(), stack: z.string().optional() }).optional(),
})

/**
 * Returns a JSON line of the log as a line for people at a terminal: time, level, message, members. Without the
 * requests that succeeded, because they push the sign-in link away; undefined for those. Stacks are shown with `debug`
 * alone.
 */
export function readableLine(json: string, { debug }: { debug: boolean }): string | undefined {
  const { level, time, msg, err, ...members } = Line.parse(JSON.parse(json))
  if (msg === 'request' && level <= INFO && !debug) return undefined
  const clock = new Date(time).toTimeString().slice(0, 8)
  const shown = Object.entries(members).filter(([name]) => !UNSHOWN.has(name))
  const values = shown.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const head = `${clock} ${LEVELS.get(level) ?? ''}${msg}`
  const text = [head, ...(err ? [`(${err.message})`] : []), ...values].join(' ')
  return debug && err?.stack !== undefined ? `${text}\n${err.stack}\n` : `${text}\n`
}
