import { inLanguages } from './language.ts'

export const connectTexts = inLanguages({
  en: {
    title: 'Connect a program',
    lead: 'A program on your computer, such as “placefleet login”, shows a code and gets an API key once you approve it here.',
    code: 'The code that the program shows',
    next: 'Continue',
    asks: (name: string) => `“${name}” asks for an API key`,
    compare:
      'Approve it only if you have just started this program yourself, on the address below, and it shows this code. It can then spend your credits until you revoke its key. The key never has the rights of an operator.',
    compareHost: (host: string) =>
      `Approve it only if you are connecting an assistant right now, and you trust ${host}, to which you return. It can then spend your credits until you revoke its key. The key never has the rights of an operator.`,
    begun: 'Started',
    from: 'from the address',
    approve: 'Approve',
    deny: 'Refuse',
    approved: 'The program is connected',
    approvedHint: 'You can close this page. The key is in the list of your keys, where you can revoke it.',
    denied: 'The program was refused',
    deniedHint: 'It gets no key.',
    other: 'Enter another code',
  },
  de: {
    title: 'Programm verbinden',
    lead: 'Ein Programm auf Ihrem Rechner, etwa „placefleet login“, zeigt einen Code und bekommt einen API-Schlüssel, sobald Sie hier zustimmen.',
    code: 'Der Code, den das Programm zeigt',
    next: 'Weiter',
    asks: (name: string) => `„${name}“ bittet um einen API-Schlüssel`,
    compare:
      'Stimmen Sie nur zu, wenn Sie dieses Programm gerade selbst gestartet haben, unter der Adresse unten, und es diesen Code zeigt. Es kann dann Ihre Credits ausgeben, bis Sie seinen Schlüssel widerrufen. Der Schlüssel hat nie die Rechte eines Operators.',
    compareHost: (host: string) =>
      `Stimmen Sie nur zu, wenn Sie gerade einen Assistenten verbinden und ${host} vertrauen, wohin Sie zurückkehren. Er kann dann Ihre Credits ausgeben, bis Sie seinen Schlüssel widerrufen. Der Schlüssel hat nie die Rechte eines Operators.`,
    begun: 'Gestartet',
    from: 'von der Adresse',
    approve: 'Zustimmen',
    deny: 'Ablehnen',
    approved: 'Das Programm ist verbunden',
    approvedHint:
      'Sie können diese Seite schließen. Der Schlüssel steht in der Liste Ihrer Schlüssel und lässt sich dort widerrufen.',
    denied: 'Das Programm wurde abgelehnt',
    deniedHint: 'Es bekommt keinen Schlüssel.',
    other: 'Anderen Code eingeben',
  },
})
