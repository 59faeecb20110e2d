import { inLanguages } from './language.tsx'

export const coverageTexts = inLanguages({
  en: {
    searched: (parts: string) =>
      parts === '1' ? 'Searched the area in one part.' : `Searched the area in ${parts} parts.`,
    complete: 'No part was cut short.',
    cut: (metres: string) => `Some parts still show only some of their places; the smallest is ${metres} m high.`,
    blocked: (parts: string) => `Parts that the map site did not answer for: ${parts}.`,
    unsearched: (parts: string) => `Parts that the job ended before: ${parts}.`,
    estimate: (found: string, total: string, low: string, high: string) =>
      `Found ${found} of about ${total} places (95 % sure: ${low} to ${high}).`,
    show: 'Searched parts',
    states: { searched: 'searched', cut: 'cut short', blocked: 'blocked', unsearched: 'not searched' },
  },
  de: {
    searched: (parts: string) =>
      parts === '1' ? 'Das Gebiet wurde in einem Teil durchsucht.' : `Das Gebiet wurde in ${parts} Teilen durchsucht.`,
    complete: 'Kein Teil wurde abgeschnitten.',
    cut: (metres: string) => `Manche Teile zeigen nur einige ihrer Orte; der kleinste ist ${metres} m hoch.`,
    blocked: (parts: string) => `Teile, für die die Kartenseite nicht antwortete: ${parts}.`,
    unsearched: (parts: string) => `Teile, vor denen der Auftrag endete: ${parts}.`,
    estimate: (found: string, total: string, low: string, high: string) =>
      `${found} von etwa ${total} Orten gefunden (zu 95 % sicher: ${low} bis ${high}).`,
    show: 'Durchsuchte Teile',
    states: { searched: 'durchsucht', cut: 'abgeschnitten', blocked: 'blockiert', unsearched: 'nicht durchsucht' },
  },
})
