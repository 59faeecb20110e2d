import { inLanguages } from './language.ts'

export const upkeepTexts = inLanguages({
  en: {
    backup: 'Last backup',
    ledger: 'Ledger verified',
    deviations: (n: number) => (n === 0 ? 'no deviation' : n === 1 ? '1 deviation' : `${n} deviations`),
    indexes: 'Indexes',
    indexesOf: (total: string) => `of ${total}`,
    schema: 'Schema version',
    never: 'never',
    noBackup: 'No backup was made yet',
    nextBackup: 'Back up now',
    backupHint:
      'This command writes a backup, also while jobs run. It runs on a host, because only there is a place for the files. Let a timer run it every night.',
    backupCommand: 'Command for a backup',
    missing: 'Indexes are missing',
    missingHint: 'Restart a coordinator: it builds them before it serves. Until then queries are slow.',
    collections: 'Collection',
    documents: 'Documents',
  },
  de: {
    backup: 'Letzte Sicherung',
    ledger: 'Kontobuch geprüft',
    deviations: (n: number) => (n === 0 ? 'keine Abweichung' : n === 1 ? '1 Abweichung' : `${n} Abweichungen`),
    indexes: 'Indizes',
    indexesOf: (total: string) => `von ${total}`,
    schema: 'Schemaversion',
    never: 'noch nie',
    noBackup: 'Es gibt noch keine Sicherung',
    nextBackup: 'Jetzt sichern',
    backupHint:
      'Dieser Befehl schreibt eine Sicherung, auch während Aufträge laufen. Er läuft auf einem Rechner, denn nur dort ist Platz für die Dateien. Lassen Sie ihn jede Nacht von einem Zeitgeber ausführen.',
    backupCommand: 'Befehl für eine Sicherung',
    missing: 'Indizes fehlen',
    missingHint: 'Starten Sie einen Koordinator neu: Er baut sie, bevor er antwortet. Bis dahin sind Abfragen langsam.',
    collections: 'Sammlung',
    documents: 'Dokumente',
  },
})
