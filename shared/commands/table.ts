import { styleText } from 'node:util'
import Table from 'cli-table3'

export type Cell = string | number | Date | undefined

/** Draws rows under headings. An empty table shows `none`. */
export function table(heads: string[], rows: Cell[][], none: string): string {
  if (rows.length === 0) return none
  const drawn = new Table({ head: heads.map(strong), style: { head: [], border: [] } })
  drawn.push(...rows.map((row) => row.map(shown)))
  return drawn.toString()
}

/** Lists names and values, one per line. */
export function facts(named: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(named).map((name) => name.length))
  return Object.entries(named)
    .map(([name, value]) => `${strong(name.padEnd(width))}  ${shown(value)}`)
    .join('\n')
}

/** Bold, when the output supports it. */
export const strong = (text: string): string => styleText('bold', text)

/** Green or red, when the output supports it. */
export const judged = (good: boolean, text: string): string => styleText(good ? 'green' : 'red', text)

/** Yellow, when the output supports it. */
export const warned = (text: string): string => styleText('yellow', text)

/**
 * Makes user text safe for a terminal. Replaces control characters, which could move the cursor or rename the window,
 * and characters that change the writing direction. Keeps line breaks.
 */
export const harmless = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** Returns data as JSON that is safe for a terminal: `JSON.stringify` escapes only half of the control characters. */
export const harmlessJson = (data: unknown): string =>
  JSON.stringify(data, undefined, 2).replaceAll(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )

/** Returns the first characters of a text, on one line. */
export function shortened(text: string, length = 60): string {
  const line = harmless(text).replaceAll('\n', ' ')
  return [...line].length <= length ? line : `${[...line].slice(0, length - 1).join('')}…`
}

/** Returns a time to the second, in UTC. */
export const time = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')

function shown(cell: Cell): string {
  if (cell === undefined) return '-'
  return cell instanceof Date ? time(cell) : harmless(String(cell))
}
