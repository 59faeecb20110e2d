import { inEnglish } from '@placefleet/coordinator/operator/doctor/findings'
import { expect, test } from 'vitest'
import { creditsTexts, whatFor } from '../../../coordinator/console/src/texts/credits.ts'
import { findingTexts } from '../../../coordinator/console/src/texts/findings.ts'

/** Returns a sentence, and the names of the values that it asked for. Each value is a time, which is a text too. */
function asked(sentence: (values: Record<string, string>) => string): { text: string; names: string[] } {
  const names = new Set<string>()
  const answer = (_: unknown, name: string) => {
    names.add(name)
    return '2026'
  }
  return { text: sentence(new Proxy<Record<string, string>>({}, { get: answer })), names: [...names] }
}

test.each(Object.entries(findingTexts.de.findings))('German says %s with values that English has', (id, german) => {
  const english = asked((values) => inEnglish({ id: id as never, values }))
  const { text, names } = asked(german)
  expect(english.names).toEqual(expect.arrayContaining(names))
  expect(text).not.toMatch(/undefined|NaN|Invalid/)
})

test.each([
  ['job_start', 'Start of job "Cafés "West""', 'Start des Auftrags „Cafés "West"“'],
  ['job_settlement', 'Job "2024.5 cafés"', 'Auftrag „2024.5 cafés“'],
  ['checkout_session', 'Purchase of 25.000000 credits', 'Kauf von 25.000000 Credits'],
  ['dispute_2_deficit', 'Disputed payment: 3.500000 credits were spent', /^Bestrittene Zahlung: 3.500000 Credits/],
  ['refund_grown_to_7000000', 'Refunded payment: it grew by 2.000000 credits', /um 2.000000 Credits gewachsen/],
  ['bootstrap', 'First credits', 'Erste Credits'],
  ['grant', 'For "the pilot", with thanks', 'For "the pilot", with thanks'],
])('the German ledger says what a transaction of the type %s was for', (reference_type, description, german) => {
  const text = whatFor({ reference_type, description }, creditsTexts.de)
  expect(text).toEqual(typeof german === 'string' ? german : expect.stringMatching(german))
  expect(whatFor({ reference_type, description }, creditsTexts.en)).toBe(description)
})
