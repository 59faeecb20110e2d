import type { Schemas } from '../api/client.ts'
import { inLanguages } from './language.ts'

export const creditsTexts = inLanguages({
  en: {
    title: 'Credits',
    lead: '1 credit is 1 US dollar. Jobs set credits aside when they start and give back what they do not use.',
    balance: 'Balance',
    available: 'Available',
    held: 'Held by jobs',
    bought: 'Bought in total',
    buy: 'Buy credits',
    amount: 'Credits',
    amountHint: 'Whole credits, 1 to 10,000. You pay at Stripe and come back here.',
    pay: 'Pay',
    faults: { credits: 'Enter a whole number from 1 to 10,000.' },
    more: 'More credits',
    notSold: 'No credits are sold here. Ask the operator to grant you some.',
    grantHint: 'No credits are sold here: you grant them, to yourself here and to others under Operations.',
    grant: 'Grant credits',
    spending: 'Spending of the last 30 days',
    spendingOf: (total: string) => `${total} credits in total, by day (UTC).`,
    noSpending: 'No job was charged in this time.',
    bars: 'The credits spent on each day, as bars',
    asTable: 'As a table',
    day: 'Day',
    ledger: 'Ledger',
    type: 'Kind',
    anyType: 'All kinds',
    types: {
      purchase: 'bought',
      consumption: 'spent',
      bonus: 'bonus',
      refund: 'refund',
      adjustment: 'correction',
      refund_deficit: 'refund owed',
      deficit_paydown: 'refund paid off',
    },
    // In English the API says it all.
    descriptions: {} as Record<string, (part: string) => string>,
    when: 'When',
    what: 'What',
    change: 'Change',
    after: 'Balance after',
    job: 'Open job',
    none: 'Nothing yet',
    noneHint: 'What you buy and what jobs cost appears here.',
    confirming: 'Your payment is being confirmed …',
    paid: 'Your payment arrived. Thank you.',
    notPaid: 'The payment has not arrived yet. Your balance grows as soon as Stripe confirms it.',
    cancelled: 'You did not pay. Nothing was charged.',
  },
  de: {
    title: 'Guthaben',
    lead: '1 Credit ist 1 US-Dollar. Aufträge reservieren am Anfang Credits und geben frei, was sie nicht brauchen.',
    balance: 'Guthaben',
    available: 'Verfügbar',
    held: 'Von Aufträgen reserviert',
    bought: 'Insgesamt gekauft',
    buy: 'Credits kaufen',
    amount: 'Credits',
    amountHint: 'Ganze Credits, 1 bis 10.000. Sie zahlen bei Stripe und kommen hierher zurück.',
    pay: 'Zahlen',
    faults: { credits: 'Geben Sie eine ganze Zahl von 1 bis 10.000 ein.' },
    more: 'Mehr Credits',
    notSold: 'Hier werden keine Credits verkauft. Bitten Sie den Betreiber um eine Gutschrift.',
    grantHint:
      'Hier werden keine Credits verkauft: Sie schreiben sie gut, sich selbst hier und anderen unter „Betrieb“.',
    grant: 'Credits gutschreiben',
    spending: 'Ausgaben der letzten 30 Tage',
    spendingOf: (total: string) => `Insgesamt ${total} Credits, nach Tagen (UTC).`,
    noSpending: 'In dieser Zeit wurde kein Auftrag berechnet.',
    bars: 'Die Ausgaben jedes Tages in Credits, als Balken',
    asTable: 'Als Tabelle',
    day: 'Tag',
    ledger: 'Journal',
    type: 'Art',
    anyType: 'Alle Arten',
    types: {
      purchase: 'gekauft',
      consumption: 'ausgegeben',
      bonus: 'Bonus',
      refund: 'Erstattung',
      adjustment: 'Berichtigung',
      refund_deficit: 'geschuldete Erstattung',
      deficit_paydown: 'Erstattung abbezahlt',
    },
    descriptions: {
      bootstrap: () => 'Erste Credits',
      job_start: (job: string) => `Start des Auftrags „${job}“`,
      job_settlement: (job: string) => `Auftrag „${job}“`,
      checkout_session: (credits: string) => `Kauf von ${credits} Credits`,
      refund: () => 'Erstattete Zahlung',
      refund_deficit: (credits: string) =>
        `Erstattete Zahlung: ${credits} Credits waren ausgegeben oder reserviert; der nächste Kauf bezahlt sie`,
      refund_grown_to: (credits: string) =>
        `Erstattete Zahlung: um ${credits} Credits gewachsen; der nächste Kauf bezahlt sie`,
      refund_reversal: () => 'Gescheiterte Erstattung',
      dispute: () => 'Bestrittene Zahlung',
      dispute_deficit: (credits: string) =>
        `Bestrittene Zahlung: ${credits} Credits waren ausgegeben oder reserviert; der nächste Kauf bezahlt sie`,
      dispute_grown_to: (credits: string) =>
        `Bestrittene Zahlung: um ${credits} Credits gewachsen; der nächste Kauf bezahlt sie`,
      dispute_reversal: () => 'Gewonnener Streit um eine Zahlung',
      deficit_paydown: () => 'Erstattete Credits, die schon ausgegeben waren',
    },
    when: 'Wann',
    what: 'Was',
    change: 'Änderung',
    after: 'Guthaben danach',
    job: 'Zum Auftrag',
    none: 'Noch nichts',
    noneHint: 'Hier erscheint, was Sie kaufen und was Aufträge kosten.',
    confirming: 'Ihre Zahlung wird bestätigt …',
    paid: 'Ihre Zahlung ist da. Danke.',
    notPaid: 'Die Zahlung ist noch nicht da. Ihr Guthaben steigt, sobald Stripe sie bestätigt.',
    cancelled: 'Sie haben nicht gezahlt. Nichts wurde abgebucht.',
  },
})

type Transaction = Pick<Schemas['CreditTransaction'], 'description' | 'reference_type'>

/** Says what a transaction was for in the language of some texts; reasons that an operator wrote stay as they are. */
export function whatFor(
  { description, reference_type }: Transaction,
  { descriptions }: Pick<(typeof creditsTexts)['en'], 'descriptions'>,
): string {
  const [, job, credits = ''] = /"(.*)"|(\d+\.\d+)/s.exec(description) ?? []
  const withoutNumbers = reference_type.replaceAll(/_\d+/g, '') // a second refund is `refund_2`
  return descriptions[withoutNumbers]?.(job ?? credits) ?? description
}
