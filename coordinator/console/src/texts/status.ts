import type { Schemas } from '../api/client.ts'
import { inLanguages } from './language.ts'

/** Every state that a badge shows. */
export type Status =
  | Schemas['Job']['status']
  | Schemas['JobTask']['state']
  | Schemas['Agent']['state']
  | Schemas['Webhook']['health_state']
  | Schemas['WebhookDelivery']['status']
  | Schemas['MonitorRun']['state']
  | 'revoked'
  | 'paused'

/** The states of jobs, tasks, agents, webhooks, deliveries and runs. English has the words of the API. */
export const statusTexts = inLanguages<{ readonly states: Readonly<Partial<Record<Status, string>>> }>({
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
      waiting: 'wartet',
      released: 'in der Warteschlange',
      done: 'fertig',
    } satisfies Record<Status, string>,
  },
})
