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

/** Great-circle distance in metres (haversine, sphere of 6,371,009 m). */
export function distanceMetres(a: Location, b: Location): number {
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2
  return 2 * 6_371_009 * Math.asin(Math.min(1, Math.sqrt(h)))
}

const CODE_DIGITS = '23456789CFGHJMPQRVWX'

/** Returns the Open Location Code of ten digits, e.g. "9F4MGCC4+2X" (specification of the code, 1/8000 degree). */
export function plusCodeOf({ lat, lon }: Location): string {
  let y = Math.floor((lat + 90) * 8000)
  let x = Math.floor((lon + 180) * 8000)
  let code = ''
  for (let pair = 0; pair < 5; pair++) {
    code = `${CODE_DIGITS[y % 20]}${CODE_DIGITS[x % 20]}${code}`
    y = Math.floor(y / 20)
    x = Math.floor(x / 20)
  }
  return `${code.slice(0, 8)}+${code.slice(8)}`
}

const STREETS = [
  'Lindenstraße',
  'Hauptstraße',
  'Schillerpromenade',
  'Am Ufer',
  'Goethestraße',
  'Alte Allee',
  'Rosenweg',
  'Königsdamm',
  'Straße des 17. Juni',
  'Müllergasse',
] as const
const BOROUGHS = ['Mitte', 'Kreuzberg', 'Neukölln', 'Pankow', 'Wedding', 'Moabit'] as const

export interface StreetAddress {
  borough: string | undefined
  street: string
  postalCode: string
  state: string | undefined
}

/** Returns the street address of a place that has one. */
export function streetAddressOf(seed: number, index: number): StreetAddress {
  const dice = chance(seed, index, PLACE_SALT + 1)
  return {
    borough: dice.happens(0.6) ? dice.pick(BOROUGHS) : undefined,
    street: `${dice.pick(STREETS)} ${dice.between(1, 220)}`,
    postalCode: String(dice.between(10115, 14199)),
    state: dice.happens(0.3) ? 'Berlin' : undefined,
  }
}
