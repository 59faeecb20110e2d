import { inLanguages } from './language.tsx'

export const firstStepsTexts = inLanguages({
  en: {
    title: 'Welcome. Three steps to your first places',
    demo: 'The demo job below collects cafés of a simulated city. Open it and watch: it costs nothing.',
    job: 'Create a job',
    jobHint: 'Name a town, set a circle on the map, say what to look for. The estimate tells what it costs.',
    jobAction: 'New job',
    key: 'Make an API key',
    keyHint: 'For your own programs. The key is shown once, with a command to try it.',
    keyAction: 'Keys',
    webhook: 'Hear of finished jobs',
    webhookHint: 'Register a URL; it is called when a job ends, signed, and again if it was down.',
    webhookAction: 'Webhooks',
  },
  de: {
    title: 'Willkommen. Drei Schritte bis zu den ersten Orten',
    demo: 'Der Demo-Auftrag unten sammelt Cafés einer simulierten Stadt. Öffnen Sie ihn und sehen Sie zu: Er kostet nichts.',
    job: 'Einen Auftrag anlegen',
    jobHint:
      'Nennen Sie eine Stadt, ziehen Sie einen Kreis und sagen Sie, was Sie suchen. Die Schätzung zeigt die Kosten.',
    jobAction: 'Neuer Auftrag',
    key: 'Einen API-Schlüssel machen',
    keyHint: 'Für eigene Programme. Er wird einmal gezeigt, mit einem Befehl zum Ausprobieren.',
    keyAction: 'Schlüssel',
    webhook: 'Von fertigen Aufträgen hören',
    webhookHint: 'Tragen Sie eine URL ein; sie wird am Ende jedes Auftrags signiert gerufen, wenn nötig mehrmals.',
    webhookAction: 'Webhooks',
  },
})
