/** People on a square kilometre of a town with its suburbs. */
const DENSITY = 2_000

const SMALLEST = 2_000
const LARGEST = 50_000

/** Returns the radius in metres of a circle that holds a town of so many people, in whole hundreds: 2 to 50 km. */
export function townRadius(population: number): number {
  const metres = 1_000 * Math.sqrt(population / (DENSITY * Math.PI))
  return Math.min(LARGEST, Math.max(SMALLEST, Math.round(metres / 100) * 100))
}
