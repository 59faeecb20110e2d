import { inLanguages } from './language.ts'

export const commonTexts = inLanguages({
  en: {
    loading: 'Loading…',
    failed: 'This did not work',
    tryAgain: 'Try again',
    noConnection: 'The coordinator does not answer. Check that it runs, then try again.',
    copy: 'Copy',
    copied: 'Copied',
    credits: (amount: string) => `${amount} credits`,
    request: (id: string) => `Request ${id}`,
    pages: 'Pages',
    page: (n: number) => `Page ${n}`,
    previous: 'Previous page',
    next: 'Next page',
    newTab: 'opens in a new tab',
    corrections: (fields: number) =>
      fields === 1 ? '1 field needs a correction.' : `${fields} fields need a correction.`,
  },
  de: {
    loading: 'Wird geladen…',
    failed: 'Das hat nicht funktioniert',
    tryAgain: 'Noch einmal',
    noConnection: 'Der Koordinator antwortet nicht. Prüfen Sie, ob er läuft, und versuchen Sie es noch einmal.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    credits: (amount: string) => `${amount} Credits`,
    request: (id: string) => `Anfrage ${id}`,
    pages: 'Seiten',
    page: (n: number) => `Seite ${n}`,
    previous: 'Vorige Seite',
    next: 'Nächste Seite',
    newTab: 'öffnet in neuem Tab',
    corrections: (fields: number) => (fields === 1 ? 'Berichtigen Sie ein Feld.' : `Berichtigen Sie ${fields} Felder.`),
  },
})
