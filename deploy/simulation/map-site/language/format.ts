const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Formats a time like "17:30". */
export const clock24 = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/**
 * Formats a time like "5:30 pm", or "5 pm" on the hour. The space is the narrow no-break space of the site since 2023.
 */
export const clock12 = (minutes: number) => `${bare12(minutes)}\u202f${half(minutes)}`

/** Formats an opening like "12:30–10 pm". The first time has am or pm only if the second one has the other. */
export const range12 = (open: number, close: number) =>
  half(open) === half(close) && close > open
    ? `${bare12(open)}–${clock12(close)}`
    : `${clock12(open)}–${clock12(close)}`

const half = (minutes: number) => (minutes < 720 ? 'am' : 'pm')
const bare12 = (minutes: number) => {
  const hour = Math.floor(minutes / 60) % 12 || 12
  return minutes % 60 === 0 ? `${hour}` : `${hour}:${twoDigits(minutes % 60)}`
}

/** Formats a whole number with a thousands separator. */
export const grouped = (count: number, separator: string) => String(count).replace(/\B(?=(\d{3})+$)/g, separator)
