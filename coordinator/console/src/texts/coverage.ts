import { inLanguages } from './language.ts'

export const coverageTexts = inLanguages({
  en: {
    searched: (parts: string) =>
      parts === '1' ? 'Searched the area in one part.' : `Searched the area in ${parts} parts.`,
    complete: 'No part was cut short.',
    cut: (metres: string) =>
      `Some parts have more places than the map site shows. The smallest of them is ${metres} m high.`,
    blocked: (parts: string) => `Parts without an answer of the map site: ${parts}.`,
    unsearched: (parts: string) => `Parts not searched when the job ended: ${parts}.`,
    estimate: (found: string, total: string, low: string, high: string) =>
      `Found ${found} of about ${total} places (95 % sure: ${low} to ${high}).`,
    hidden:
      'No count has the places that the map site hides from every signed-out search. It says so only on pages in Chromium, not over plain HTTP.',
    show: 'Searched parts',
    states: { searched: 'searched', cut: 'cut short', blocked: 'blocked', unsearched: 'not searched' },
  },
  de: {
    searched: (parts: string) =>
      parts === '1' ? 'Das Gebiet wurde in einem Teil durchsucht.' : `Das Gebiet wurde in ${parts} Teilen durchsucht.`,
    complete: 'Kein Teil wurde gekürzt.',
    cut: (metres: string) =>
      `Manche Teile haben mehr Orte, als die Kartenseite zeigt. Der kleinste davon ist ${metres} m hoch.`,
    blocked: (parts: string) => `Teile ohne Antwort der Kartenseite: ${parts}.`,
    unsearched: (parts: string) => `Teile, die beim Ende des Auftrags nicht durchsucht waren: ${parts}.`,
    estimate: (found: string, total: string, low: string, high: string) =>
      `${found} von etwa ${total} Orten gefunden (zu 95 % sicher: ${low} bis ${high}).`,
    hidden:
      'Keine Zahl enthält die Orte, welche die Kartenseite vor jeder Suche ohne Anmeldung verbirgt. Nur auf Seiten in Chromium sagt sie es, über einfaches HTTP nicht.',
    show: 'Durchsuchte Teile',
    states: { searched: 'durchsucht', cut: 'gekürzt', blocked: 'gesperrt', unsearched: 'nicht durchsucht' },
  },
})
