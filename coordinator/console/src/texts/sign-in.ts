import { inLanguages } from './language.tsx'

export const signInTexts = inLanguages({
  en: {
    title: 'Sign in',
    signingIn: 'Signing in…',
    with: (provider: string) => `Sign in with ${provider}`,
    linkTitle: 'With a sign-in link',
    linkHint: 'Whoever runs this deployment makes one on its machine. It works once, for 15 minutes.',
    linkCommand: 'Command for a sign-in link',
    linkFailed: 'This sign-in link does not work. It may be used or older than 15 minutes: ask for a new one.',
    providersFailed: 'The identity providers cannot be listed at the moment.',
    failed: 'The sign-in did not work',
  },
  de: {
    title: 'Anmelden',
    signingIn: 'Sie werden angemeldet…',
    with: (provider: string) => `Mit ${provider} anmelden`,
    linkTitle: 'Mit einem Anmeldelink',
    linkHint: 'Wer diese Installation betreibt, macht einen auf ihrem Rechner. Er gilt einmal, 15 Minuten lang.',
    linkCommand: 'Befehl für einen Anmeldelink',
    linkFailed:
      'Dieser Anmeldelink gilt nicht. Vielleicht ist er benutzt oder älter als 15 Minuten: Bitten Sie um einen neuen.',
    providersFailed: 'Die Anmeldedienste lassen sich gerade nicht auflisten.',
    failed: 'Die Anmeldung hat nicht geklappt',
  },
})
