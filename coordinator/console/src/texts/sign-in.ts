import { inLanguages } from './language.ts'

export const signInTexts = inLanguages({
  en: {
    title: 'Sign in',
    again: 'You are signed out',
    againHint: (email: string) =>
      `Your session has ended. Sign in again as ${email}: the page and all that you entered are still here.`,
    signingIn: 'Signing in…',
    with: (provider: string) => `Sign in with ${provider}`,
    claimTitle: 'As the first operator',
    claimHint: 'Enter the value of the setting ADMIN_TOKEN. It works once.',
    claimToken: 'Token',
    claim: 'Sign in',
    claimWrong: 'The token is wrong or was used. Set another ADMIN_TOKEN and restart, or use a sign-in link.',
    claimNotSet: 'ADMIN_TOKEN is not set here. Set it and restart, or use a sign-in link.',
    claimTooOften: 'Too many attempts. Try again in a minute.',
    claimFailed: 'The sign-in did not work. Try again.',
    linkTitle: 'With a sign-in link',
    linkPrinted:
      'When npm start runs in a terminal, it prints a link. Otherwise the link is in the file sign-in-link of its data directory (data). Open it, or paste it into the address bar.',
    linkAnother: 'A link works once, for 15 minutes. This command creates another one, on the same machine:',
    linkOfOperator: 'Somebody else runs this Placefleet? Ask them for a link.',
    linkUnused: (email: string) => `You are signed in already, as ${email}`,
    linkUnusedHint: 'The link was not used. To sign in with it, sign out first, then open it again.',
    linkCommand: 'Command for a sign-in link',
    linkFailed: 'This sign-in link does not work. It may be used or older than 15 minutes: create a new one.',
    providersFailed: 'The identity providers cannot be listed at the moment.',
    failed: 'The sign-in did not work',
    failures: {
      not_configured: 'No identity provider is set up here. Use a sign-in link.',
      provider_unavailable: 'The identity provider does not answer. Try again later, or use a sign-in link.',
      provider_mismatch: 'The issuer of the identity provider differs from OIDC_ISSUER. Tell the operator.',
      access_denied: 'The identity provider denied the sign-in.',
      cookie_missing: 'The browser sent no cookie. Allow cookies, and open the console at its public address.',
      flow_expired: 'The sign-in took too long or began in another browser. Sign in again.',
      provider_refused:
        'The identity provider rejected this deployment. Ask the operator to check the client settings.',
      id_token_invalid: 'The response of the identity provider is not valid. Tell the operator.',
      email_missing: 'The identity provider sent no email address.',
      email_not_verified: 'Your email address is not verified at the identity provider. Verify it there first.',
      email_taken: 'Another account at the identity provider uses your email address here. Tell the operator.',
      domain_not_allowed: 'Email addresses of your domain are not allowed here.',
      signup_disabled: 'There is no account with your email address. Ask the operator to create one.',
      other: 'Sign in again. If it fails again, tell the operator.',
    } as Record<string, string>,
  },
  de: {
    title: 'Anmelden',
    again: 'Sie sind abgemeldet',
    againHint: (email: string) =>
      `Ihre Sitzung ist beendet. Melden Sie sich wieder als ${email} an: Die Seite und alle Ihre Eingaben sind noch da.`,
    signingIn: 'Sie werden angemeldet…',
    with: (provider: string) => `Mit ${provider} anmelden`,
    claimTitle: 'Als erster Betreiber',
    claimHint: 'Geben Sie den Wert der Einstellung ADMIN_TOKEN ein. Er gilt einmal.',
    claimToken: 'Token',
    claim: 'Anmelden',
    claimWrong:
      'Der Token ist falsch oder wurde schon benutzt. Setzen Sie einen anderen ADMIN_TOKEN und starten Sie neu, oder nutzen Sie einen Anmeldelink.',
    claimNotSet:
      'ADMIN_TOKEN ist hier nicht gesetzt. Setzen Sie ihn und starten Sie neu, oder nutzen Sie einen Anmeldelink.',
    claimTooOften: 'Zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
    claimFailed: 'Die Anmeldung ist gescheitert. Versuchen Sie es noch einmal.',
    linkTitle: 'Mit einem Anmeldelink',
    linkPrinted:
      'Läuft npm start in einem Terminal, gibt es einen Link aus. Sonst steht der Link in der Datei sign-in-link im Datenverzeichnis (data). Öffnen Sie ihn, oder fügen Sie ihn in die Adresszeile ein.',
    linkAnother: 'Ein Link gilt einmal, 15 Minuten lang. Dieser Befehl legt auf demselben Rechner einen neuen an:',
    linkOfOperator: 'Jemand anders betreibt dieses Placefleet? Bitten Sie dort um einen Link.',
    linkUnused: (email: string) => `Sie sind schon angemeldet, als ${email}`,
    linkUnusedHint: 'Der Link wurde nicht benutzt. Melden Sie sich erst ab, und öffnen Sie ihn dann noch einmal.',
    linkCommand: 'Befehl für einen Anmeldelink',
    linkFailed:
      'Dieser Anmeldelink gilt nicht. Vielleicht ist er benutzt oder älter als 15 Minuten: Legen Sie einen neuen an.',
    providersFailed: 'Die Anmeldedienste lassen sich gerade nicht auflisten.',
    failed: 'Die Anmeldung hat nicht geklappt',
    failures: {
      not_configured: 'Hier ist kein Anmeldedienst eingerichtet. Nehmen Sie einen Anmeldelink.',
      provider_unavailable: 'Der Anmeldedienst antwortet nicht. Später noch einmal, oder mit einem Anmeldelink.',
      provider_mismatch: 'Der Aussteller des Anmeldedienstes weicht von OIDC_ISSUER ab. Sagen Sie es dem Betreiber.',
      access_denied: 'Der Anmeldedienst hat die Anmeldung abgelehnt.',
      cookie_missing:
        'Der Browser hat kein Cookie geschickt. Erlauben Sie Cookies und öffnen Sie die öffentliche Adresse.',
      flow_expired:
        'Die Anmeldung dauerte zu lange oder begann in einem anderen Browser. Melden Sie sich noch einmal an.',
      provider_refused:
        'Der Anmeldedienst hat diese Installation abgewiesen. Bitten Sie den Betreiber, den Client zu prüfen.',
      id_token_invalid: 'Die Antwort des Anmeldedienstes ist ungültig. Sagen Sie es dem Betreiber.',
      email_missing: 'Der Anmeldedienst hat keine E-Mail-Adresse gesendet.',
      email_not_verified: 'Ihre E-Mail-Adresse ist beim Anmeldedienst nicht bestätigt. Bestätigen Sie sie dort zuerst.',
      email_taken: 'Ein anderes Konto beim Anmeldedienst nutzt hier Ihre E-Mail-Adresse. Sagen Sie es dem Betreiber.',
      domain_not_allowed: 'E-Mail-Adressen Ihrer Domain sind hier nicht erlaubt.',
      signup_disabled: 'Es gibt kein Konto mit Ihrer E-Mail-Adresse. Bitten Sie den Betreiber um eines.',
      other: 'Melden Sie sich noch einmal an. Scheitert es wieder, sagen Sie es dem Betreiber.',
    } as Record<string, string>,
  },
})
