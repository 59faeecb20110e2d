import { inLanguages } from './language.ts'

export const supportTexts = inLanguages({
  en: {
    title: 'Support',
    lead: 'Write to the operators of this deployment.',
    category: 'About',
    categories: {
      bug: 'Something is broken',
      feature: 'An idea',
      billing: 'Billing',
      account: 'My account',
      other: 'Other',
    },
    subject: 'Subject',
    message: 'Message',
    messageHint: 'What happened, and what you expected. Include the ids of affected jobs.',
    send: 'Send',
    faults: {
      subject: 'Enter at most 200 characters, or nothing.',
      message: 'Write 10 to 5,000 characters.',
    },
    sent: 'Your message was received.',
    another: 'Write another',
  },
  de: {
    title: 'Hilfe',
    lead: 'Schreiben Sie den Betreibern dieser Installation.',
    category: 'Worum es geht',
    categories: {
      bug: 'Etwas ist kaputt',
      feature: 'Eine Idee',
      billing: 'Bezahlung',
      account: 'Mein Konto',
      other: 'Anderes',
    },
    subject: 'Betreff',
    message: 'Nachricht',
    messageHint: 'Was geschah, und was Sie erwartet haben. Nennen Sie die IDs betroffener Aufträge.',
    send: 'Senden',
    faults: {
      subject: 'Geben Sie höchstens 200 Zeichen ein, oder nichts.',
      message: 'Schreiben Sie 10 bis 5.000 Zeichen.',
    },
    sent: 'Ihre Nachricht ist angekommen.',
    another: 'Noch eine schreiben',
  },
})
