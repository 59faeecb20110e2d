import type { Logger } from '@placefleet/shared/log'
import { pino } from 'pino'

/** Returns a log whose lines a test can read. */
export function capturedLog(): { log: Logger; lines: string[] } {
  const lines: string[] = []
  return { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), lines }
}
