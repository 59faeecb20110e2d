import { inLanguages } from './language.ts'

/** The states of jobs, agents, webhooks, deliveries and runs. English has the words of the API. */
export const statusTexts = inLanguages<{ readonly states: Readonly<Record<string, string>> }>({
  en: { states: {} },
  de: {
    states: {
      pending: 'wartet',
      running: 'läuft',
      aborting: 'wird abgebrochen',
      completed: 'abgeschlossen',
      failed: 'fehlgeschlagen',
      cancelled: 'abgebrochen',
      healthy: 'in Ordnung',
      degraded: 'gestört',
      disabled: 'abgeschaltet',
      delivered: 'zugestellt',
      dropped: 'verworfen',
      connected: 'verbunden',
      draining: 'läuft aus',
      silent: 'stumm',
      gone: 'weg',
      revoked: 'widerrufen',
      enrolled: 'angemeldet',
      started: 'gestartet',
      paused: 'angehalten',
      due: 'fällig',
      skipped: 'ausgelassen',
    },
  },
})
