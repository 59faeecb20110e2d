import type { Schemas } from '../api/client.ts'
import { findingTexts } from '../texts/findings.ts'
import { useTexts } from '../texts/language.ts'

/** Says findings in the language that is chosen; undefined in English, which the API speaks. */
export function useFindings() {
  const { findings: texts } = useTexts(findingTexts)
  return (findings: readonly Schemas['Finding'][]): string[] | undefined => {
    const words = findings.flatMap(({ id, values }) => texts[id]?.(values) ?? [])
    return words.length === findings.length ? words : undefined
  }
}
