import { createContext, createElement, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { knownLocales } from '../parts/formats.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
type ConsoleLanguage = keyof typeof LANGUAGES

const STORED = 'placefleet-language'

type Choice = { language: ConsoleLanguage; choose(language: ConsoleLanguage): void }
const Chosen = createContext<Choice>({ language: 'en', choose: () => undefined })

const isLanguage = (name: string | null | undefined): name is ConsoleLanguage => name === 'en' || name === 'de'

function firstChoice(): ConsoleLanguage {
  const stored = localStorage.getItem(STORED)
  if (isLanguage(stored)) return stored
  const wanted = knownLocales()
    .map((tag) => tag.split('-')[0])
    .find(isLanguage)
  return wanted ?? 'en'
}

/** Gives everything below it the language of the console: the chosen one, else the browser's, else English. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstChoice)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => {
    // Another tab chose. Mantine follows the colour scheme in the same way.
    const follow = ({ key, newValue }: StorageEvent) => key === STORED && isLanguage(newValue) && setLanguage(newValue)
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [])
  const choice = useMemo(() => {
    const choose = (chosen: ConsoleLanguage) => {
      localStorage.setItem(STORED, chosen)
      setLanguage(chosen)
    }
    return { language, choose }
  }, [language])
  return createElement(Chosen, { value: choice }, children)
}

export const useLanguage = (): Choice => useContext(Chosen)

/** The same texts in every language of the console. */
export type Texts<Shape> = Record<ConsoleLanguage, Shape>

/** Texts of a page: German must have exactly the names that English has. */
export const inLanguages = <Shape>(texts: { en: Shape; de: NoInfer<Shape> }): Texts<Shape> => texts

export const useTexts = <Shape>(texts: Texts<Shape>): Shape => texts[useLanguage().language]

/** Returns a number with its noun, e.g. "1 place" or "1,000 places". A `#` in a form stands for the number. */
export function plural(
  language: ConsoleLanguage,
  number: number,
  { one, other }: { one: string; other: string },
): string {
  const form = new Intl.PluralRules(language).select(number) === 'one' ? one : other
  return form.replace('#', number.toLocaleString(language))
}
