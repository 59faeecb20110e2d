import { inLanguages } from './language.ts'

/** What an answer of the map site was, by the name that an agent gives it. */
export const answersTexts = inLanguages({
  en: {
    verdicts: {
      whole: 'whole',
      trimmed: 'with parts held back',
      doubtful_empty: 'empty',
      agent_failed: 'Chromium did not start',
      exit_refused: 'address refused',
      consent: 'consent form',
      needs_scripts: 'asks for a browser',
      request_refused: 'request refused',
      unavailable: 'error of the site',
      layout: 'not readable',
      not_found: 'not found',
      unknown: 'unknown answer',
      timeout: 'no answer in time',
      network: 'no connection',
      proxy_failed: 'proxy failed',
      not_asked: 'not asked',
    } as Record<string, string>,
  },
  de: {
    verdicts: {
      whole: 'vollständig',
      trimmed: 'mit zurückgehaltenen Teilen',
      doubtful_empty: 'leer',
      agent_failed: 'Chromium startet nicht',
      exit_refused: 'Adresse abgewiesen',
      consent: 'Einwilligungsformular',
      needs_scripts: 'verlangt einen Browser',
      request_refused: 'Anfrage abgewiesen',
      unavailable: 'Fehler der Seite',
      layout: 'nicht lesbar',
      not_found: 'nicht gefunden',
      unknown: 'unbekannte Antwort',
      timeout: 'keine Antwort in der Zeit',
      network: 'keine Verbindung',
      proxy_failed: 'Proxy versagt',
      not_asked: 'nicht gefragt',
    } as Record<string, string>,
  },
})
