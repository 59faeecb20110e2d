import { inLanguages } from './language.ts'

export const firstStepsTexts = inLanguages({
  en: {
    title: 'Welcome. Create your first job',
    demoLink: 'Open the demo job',
    demo: ': it collects cafés of a simulated city, and costs nothing.',
    next: 'The demo is over. What next?',
    realHint: 'Real places: name a town, set a circle on the map, enter keywords. The estimate shows the cost.',
    monitor: 'Repeat it',
    monitorHint:
      'A monitor runs a job again and again, and reports what changed. You can try it with this demo for free.',
    monitorAction: 'Monitor this demo',
    programs: 'From a terminal or an assistant',
    terminal: 'Use a terminal',
    terminalHint: 'Log in once, then run jobs. With --demo they collect from the simulated city for free.',
    assistant: 'Use an assistant (MCP)',
    assistantHint: 'Put these lines into the settings of your assistant, with an API key that has a spending limit.',
    job: 'Create a job',
    jobHint: 'Name a town, set a circle on the map, enter keywords. The estimate shows the cost.',
    jobAction: 'New job',
    key: 'Create an API key',
    keyHint: 'For your own programs. The key is shown once, with a command to try it.',
    keyAction: 'Keys',
    webhook: 'Get notified of finished jobs',
  },
  de: {
    title: 'Willkommen. Legen Sie Ihren ersten Auftrag an',
    demoLink: 'Öffnen Sie den Demo-Auftrag',
    demo: ': Er sammelt Cafés einer simulierten Stadt und kostet nichts.',
    next: 'Die Demo ist zu Ende. Wie geht es weiter?',
    realHint:
      'Echte Orte: Nennen Sie eine Stadt, ziehen Sie einen Kreis auf der Karte, geben Sie Suchwörter ein. Die Schätzung zeigt die Kosten.',
    monitor: 'Wiederholen',
    monitorHint:
      'Ein Monitor führt einen Auftrag immer wieder aus und meldet, was sich geändert hat. Mit dieser Demo kostet das nichts.',
    monitorAction: 'Demo überwachen',
    programs: 'Im Terminal oder mit einem Assistenten',
    terminal: 'Im Terminal',
    terminalHint:
      'Einmal anmelden, dann Aufträge ausführen. Mit --demo sammeln sie kostenlos aus der simulierten Stadt.',
    assistant: 'Mit einem Assistenten (MCP)',
    assistantHint:
      'Tragen Sie diese Zeilen in die Einstellungen Ihres Assistenten ein, mit einem API-Schlüssel, der eine Ausgabengrenze hat.',
    job: 'Einen Auftrag anlegen',
    jobHint:
      'Nennen Sie eine Stadt, ziehen Sie einen Kreis auf der Karte, geben Sie Suchwörter ein. Die Schätzung zeigt die Kosten.',
    jobAction: 'Neuer Auftrag',
    key: 'Einen API-Schlüssel anlegen',
    keyHint: 'Für eigene Programme. Er wird einmal gezeigt, mit einem Befehl zum Ausprobieren.',
    keyAction: 'Schlüssel',
    webhook: 'Bei fertigen Aufträgen benachrichtigt werden',
  },
})
