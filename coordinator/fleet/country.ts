/**
 * The country of a point in decimal degrees: ISO 3166, two lower-case letters; a territory with a code of its own counts
 * as one. Undefined on the high seas and without a point.
 */
export async function countryAt(
  latitude: number | undefined,
  longitude: number | undefined,
): Promise<string | undefined> {
  if (latitude === undefined || longitude === undefined) return undefined
  // Loaded when it is needed: the borders take 23 MB.
  const { iso1A2Code } = await import('@rapideditor/country-coder')
  return iso1A2Code([longitude, latitude], { level: 'territory' })?.toLowerCase()
}
