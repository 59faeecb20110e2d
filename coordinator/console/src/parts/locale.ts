/**
 * Returns the languages of a browser as tags that `Intl` takes, the favourite first. A host without a locale gives
 * `en-US@posix`, of which `en-US` counts. What is no language at all is left out.
 */
export const knownLocales = (tags: readonly string[] = navigator.languages): string[] =>
  tags.flatMap((tag) => {
    const [language = ''] = tag.split(/[.@]/)
    try {
      return Intl.getCanonicalLocales(language.replaceAll('_', '-'))
    } catch {
      return [] // not a language
    }
  })
