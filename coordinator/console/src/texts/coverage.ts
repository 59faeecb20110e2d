import { inLanguages } from './language.ts'

export const coverageTexts = inLanguages({
  en: {
    searched: (parts: string) =>
      parts === '1' ? 'Searched the area in one part.' : `Searched the area in ${parts} parts.`,
    complete: 'No part was cut short.',
    cut: (metres: string) =>
      `Some parts of the area hold more places than the map site lists, even when split down to ${metres} m.`,
    blocked: (parts: string) => `Parts without an answer of the map site: ${parts}.`,
    unsearched: (parts: string) => `Parts not searched when the job ended: ${parts}.`,
    estimate: (found: string, total: string, low: string, high: string) =>
      `Found ${found} of about ${total} places (95 % sure: ${low} to ${high}).`,
    hidden: 'The map site hides some places from visitors who are not signed in. They are in none of these counts.',
    show: 'Searched parts',
    states: { searched: 'searched', cut: 'cut short', blocked: 'blocked', unsearched: 'not searched' },
  },
  de: {
    searched: (parts: string) =>
      parts === '1' ? 'Das Gebiet wurde in einem Teil durchsucht.' : `Das Gebiet wurde in ${parts} Teilen durchsucht.`,
    complete: 'Kein Teil wurde gekürzt.',
    cut: (metres: string) =>
      `Manche Teile des Gebiets haben mehr Orte, als die Kartenseite auflistet, auch auf ${metres} m geteilt.`,
    blocked: (parts: string) => `Teile ohne Antwort der Kartenseite: ${parts}.`,
    unsearched: (parts: string) => `Teile, die beim Ende des Auftrags nicht durchsucht waren: ${parts}.`,
    estimate: (found: string, total: string, low: string, high: string) =>
      `${found} von etwa ${total} Orten gefunden (zu 95 % sicher: ${low} bis ${high}).`,
    hidden:
      'Die Kartenseite verbirgt manche Orte vor Besuchern, die nicht angemeldet sind. Sie sind in keiner dieser Zahlen.',
    show: 'Durchsuchte Teile',
    states: { searched: 'durchsucht', cut: 'gekürzt', blocked: 'gesperrt', unsearched: 'nicht durchsucht' },
  },
})
