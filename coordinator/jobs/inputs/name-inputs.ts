import { keyOfNamed, readNamedPlace } from '@placefleet/shared/named-place'

/**
 * Returns the texts that name places by the keys of these places, each with the first text that names it, in the order
 * of the texts.
 */
export function inputsByKey(texts: readonly string[]): Map<string, string> {
  const inputs = new Map<string, string>()
  for (const text of texts) {
    const key = inputKey(text)
    if (!inputs.has(key)) inputs.set(key, text)
  }
  return inputs
}

/** Returns the key under which a job lists the place that a text names (`keyOfNamed`). */
export function inputKey(text: string): string {
  const named = readNamedPlace(text)
  return named ? keyOfNamed(named) : text // a request with another text is refused
}
