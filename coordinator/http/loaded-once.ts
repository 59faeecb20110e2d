/** Returns a function that loads once, when it is first called. A load that failed is tried again at the next call. */
export function loadedOnce<Given extends unknown[], Loaded>(
  load: (...given: Given) => Promise<Loaded>,
): (...given: Given) => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return (...given) => {
    loaded ??= load(...given).catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
