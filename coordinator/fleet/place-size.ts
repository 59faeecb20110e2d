/** The texts of one place: several times those of 500 reviews and 500 images. The bounds of each field allow 4 MB. */
const MAX_PLACE_CHARACTERS = 1_000_000

/** Returns whether a place has more text than a map listing can have. An agent made it up, or is broken. */
export const isTooLarge = (place: object): boolean => charactersOf(place) > MAX_PLACE_CHARACTERS

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const member of Object.values(value)) sum += charactersOf(member)
  return sum
}
