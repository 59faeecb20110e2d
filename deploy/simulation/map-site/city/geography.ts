import { chance } from '../random.ts'

/** The position of the simulated city, in decimal degrees. */
export const CITY = { name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin', lat: 52.52, lon: 13.405 } as const

const HALF_HEIGHT = 0.09
const HALF_WIDTH = 0.148 // as many metres as the height at this latitude
const PLACE_SALT = 21

// Steps of the R2 low-discrepancy sequence (M. Roberts, 2018): points of any stretch of it cover the square evenly,
// and so do those of one category (every 12th point).
const STEP_X = 0.7548776662466927
const STEP_Y = 0.5698402909980532

export interface Location {
  lat: number
  lon: number
}

const round7 = (value: number) => Math.round(value * 1e7) / 1e7

/** Returns the position of place number `index`. Places are spread evenly over about 20 by 20 kilometres. */
export function locationOf(seed: number, index: number): Location {
  const dice = chance(seed, index, PLACE_SALT)
  const x = (seed * 0.137 + index * STEP_X) % 1
  const y = (seed * 0.731 + index * STEP_Y) % 1
  const jitter = () => (dice.next() - 0.5) * 0.002
  return {
    lat: round7(CITY.lat + (2 * y - 1) * HALF_HEIGHT + jitter()),
    lon: round7(CITY.lon + (2 * x - 1) * HALF_WIDTH + jitter()),
  }
}

/** Returns a plus code in the form of Open Location Code, e.g. "9F4MGCC4+2X". */
export function plusCodeOf(seed: number, index: number): string {
  const dice = chance(seed, index, PLACE_SALT + 2)
  const digits = Array.from({ length: 6 }, () => dice.pickText('2|3|4|5|6|7|8|9|C|F|G|H|J|M|P|Q|R|V|W|X')).join('')
  return `9F4M${digits.slice(0, 4)}+${digits.slice(4)}`
}

const STREETS =
  'Lindenstraße|Hauptstraße|Schillerpromenade|Am Ufer|Goethestraße|Alte Allee|Rosenweg|Königsdamm|Straße des 17. Juni|Müllergasse'

/** Returns the street address of a place that has one. */
export function streetAddressOf(seed: number, index: number) {
  const dice = chance(seed, index, PLACE_SALT + 1)
  const borough = dice.happens(0.6) ? dice.pickText('Mitte|Kreuzberg|Neukölln|Pankow|Wedding|Moabit') : undefined
  const street = `${dice.pickText(STREETS)} ${dice.between(1, 220)}`
  const postalCode = String(dice.between(10115, 14199))
  const state = dice.happens(0.3) ? 'Berlin' : undefined
  return { borough, street, postalCode, state, line: `${street}, ${postalCode} ${CITY.name}` }
}
