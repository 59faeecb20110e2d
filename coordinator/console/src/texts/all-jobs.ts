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
    restOfEnded:
      'The job is settled, so its failed tasks cannot run again. Its user collects what is missing by “Collect the rest”.',
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
    credits: 'Guthaben',
    created: 'Angelegt',
    back: 'Alle Aufträge',
    of: (user: string) => `Ein Auftrag von ${user}`,
    restOfEnded:
      'Der Auftrag ist abgerechnet, deshalb laufen seine gescheiterten Aufgaben nicht noch einmal. Sein Nutzer sammelt, was fehlt, mit „Rest sammeln“.',
    retrying: 'Die Aufgabe wartet auf einen Agenten.',
  },
})
