import { inLanguages } from './language.ts'

export const commonTexts = inLanguages({
  en: {
    loading: 'Loading…',
    failed: 'Something went wrong',
    tryAgain: 'Try again',
    toJobs: 'Go to jobs',
    noConnection: 'The coordinator does not answer. Check that it runs, then try again.',
    fault: 'The console has a fault',
    faultHint:
      'This part of the page cannot be shown. Load the page again. If that does not help, send the details to support.',
    reload: 'Load again',
    copyDetails: 'Copy details',
    changedElsewhere: 'Changed elsewhere meanwhile',
    changedElsewhereHint: 'Somebody else changed the same settings as you. Saving replaces their change.',
    takeTheirs: 'Take their change',
    copy: 'Copy',
    copied: 'Copied',
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
    toJobs: 'Zu den Aufträgen',
    noConnection: 'Der Koordinator antwortet nicht. Prüfen Sie, ob er läuft, und versuchen Sie es noch einmal.',
    fault: 'Die Konsole hat einen Fehler',
    faultHint:
      'Dieser Teil der Seite lässt sich nicht zeigen. Laden Sie die Seite neu. Hilft das nicht, senden Sie die Einzelheiten an die Hilfe.',
    reload: 'Neu laden',
    copyDetails: 'Einzelheiten kopieren',
    changedElsewhere: 'Inzwischen anderswo geändert',
    changedElsewhereHint:
      'Jemand anderes hat dieselben Einstellungen geändert wie Sie. Speichern ersetzt die fremde Änderung.',
    takeTheirs: 'Fremde Änderung übernehmen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    request: (id: string) => `Anfrage ${id}`,
    pages: 'Seiten',
    page: (n: number) => `Seite ${n}`,
    previous: 'Vorige Seite',
    next: 'Nächste Seite',
    newTab: 'öffnet in neuem Tab',
    corrections: (fields: number) => (fields === 1 ? 'Berichtigen Sie ein Feld.' : `Berichtigen Sie ${fields} Felder.`),
  },
})
