import { inLanguages } from './language.ts'

export const allJobsTexts = inLanguages({
  en: {
    title: 'Jobs of all users',
    user: 'User',
    userHint: 'An email or id, then Enter',
    status: 'Status',
    anyStatus: 'Any status',
    none: 'No job matches',
    noneHint: 'Choose another status or user.',
    job: 'Job',
    places: 'Places',
    credits: 'Credits',
    created: 'Created',
    back: 'All jobs',
    of: (user: string) => `A job of ${user}`,
    restOfEnded: 'This job has been billed, so failed tasks cannot be repeated. The user can start “Collect the rest”.',
    retrying: 'The task waits for an agent.',
  },
  de: {
    title: 'Aufträge aller Nutzer',
    user: 'Nutzer',
    userHint: 'Eine E-Mail-Adresse oder Id, dann Enter',
    status: 'Status',
    anyStatus: 'Jeder Status',
    none: 'Kein Auftrag passt',
    noneHint: 'Wählen Sie einen anderen Status oder Nutzer.',
    job: 'Auftrag',
    places: 'Orte',
    credits: 'Credits',
    created: 'Angelegt',
    back: 'Alle Aufträge',
    of: (user: string) => `Ein Auftrag von ${user}`,
    restOfEnded:
      'Dieser Auftrag ist abgerechnet, deshalb lassen sich gescheiterte Aufgaben nicht wiederholen. Der Nutzer kann „Rest sammeln“ starten.',
    retrying: 'Die Aufgabe wartet auf einen Agenten.',
  },
})
