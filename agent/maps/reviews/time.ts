// The site's reviews began in 2007; a clock may be a day wrong. Outside of that a number is no time of a review.
const EARLIEST = Date.UTC(2007, 0, 1)
const TOLERANCE = 24 * 3_600_000

/** ISO time of microseconds since 1970. Undefined for none, and for times before 2007 or in the future. */
export function microsToIso(micros: number | undefined, now: number): string | undefined {
  return micros === undefined ? undefined : millisToIso(Math.floor(micros / 1_000), now)
}

/** ISO time of milliseconds since 1970, refused as in `microsToIso`. */
export function millisToIso(millis: number | undefined, now: number): string | undefined {
  if (millis === undefined || millis < EARLIEST || millis > now + TOLERANCE) return undefined
  return new Date(millis).toISOString()
}
