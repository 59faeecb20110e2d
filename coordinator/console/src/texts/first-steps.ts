import { inLanguages } from './language.tsx'

export const firstStepsTexts = inLanguages({
  en: {
    title: 'Welcome. Three steps to your first places',
    demo: 'The demo job below collects cafés of a simulated city. Open it and watch: it costs nothing.',
    job: 'Create a job',
    jobHint: 'Name a town, set a circle on the map, enter keywords. The estimate shows the cost.',
    jobAction: 'New job',
    key: 'Create an API key',
    keyHint: 'For your own programs. The key is shown once, with a command to try it.',
    keyAction: 'Keys',
    webhook: 'Get notified of finished jobs',
    webhookHint:
      'Register a URL. It gets a signed request when a job ends. Placefleet retries while your server is down.',
    webhookAction: 'Webhooks',
  },
  de: {
    title: 'Willkommen. Drei Schritte bis zu den ersten Orten',
    demo: 'Der Demo-Auftrag unten sammelt Cafés einer simulierten Stadt. Öffnen Sie ihn und sehen Sie zu: Er kostet nichts.',
    job: 'Einen Auftrag anlegen',
    jobHint:
      'Nennen Sie eine Stadt, ziehen Sie einen Kreis auf der Karte, geben Sie Suchwörter ein. Die Schätzung zeigt die Kosten.',
    jobAction: 'Neuer Auftrag',
    key: 'Einen API-Schlüssel anlegen',
    keyHint: 'Für eigene Programme. Er wird einmal gezeigt, mit einem Befehl zum Ausprobieren.',
    keyAction: 'Schlüssel',
    webhook: 'Bei fertigen Aufträgen benachrichtigt werden',
    webhookHint:
      'Tragen Sie eine URL ein. Sie bekommt eine signierte Anfrage, wenn ein Auftrag endet. Placefleet wiederholt sie, solange Ihr Server ausfällt.',
    webhookAction: 'Webhooks',
  },
})
