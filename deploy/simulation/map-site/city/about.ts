import type { AboutWord } from '../language/en.ts'
import { chance } from '../random.ts'
import type { CategoryId } from './categories.ts'

export interface AboutFact {
  section: AboutWord
  label: AboutWord
  attribute: string
  /** The value of the fact: yes or no, one value in words, or brand names. */
  says: { kind: 1; yes: boolean; noLabel?: AboutWord } | { kind: 2; value: AboutWord } | { kind: 3; values: string[] }
}

const ABOUT_SALT = 71
const BRANDS = ['American Express', 'Mastercard', 'VISA'] as const

const yesNo = (section: AboutFact['section'], label: AboutFact['label'], attribute: string): AboutFact => ({
  section,
  label,
  attribute,
  says: { kind: 1, yes: true },
})

/**
 * Returns the facts in the "About" tab: yes and no, one value (Wi-Fi) and lists (card brands). Some places have none.
 */
export function aboutOf(seed: number, index: number, category: CategoryId, gastronomy: boolean): AboutFact[] {
  const dice = chance(seed, index, ABOUT_SALT)
  if (dice.happens(0.1)) return []
  const facts: AboutFact[] = []
  if (gastronomy) {
    facts.push(yesNo('service_options', 'outdoor_seating', 'has_seating_outdoors'))
    if (dice.happens(0.6)) facts.push(yesNo('service_options', 'delivery', 'has_delivery'))
    facts.push(yesNo('service_options', 'takeout', 'has_takeout'))
    if (dice.happens(0.8)) facts.push(yesNo('service_options', 'dine_in', 'serves_dine_in'))
  }
  if (dice.happens(0.8)) facts.push(entrance(dice.happens(0.6)))
  if (gastronomy || category === 'hotel') {
    facts.push(yesNo('amenities', 'toilets', 'has_restroom'))
    if (dice.happens(0.5)) facts.push(...WIFI)
  }
  facts.push(...payments(dice.happens(0.7), dice.happens(0.6), BRANDS.slice(dice.between(0, 2))))
  if (dice.happens(0.4)) facts.push(yesNo('children', 'kids', 'welcomes_children'))
  return facts
}

// Payloads name both whether there is Wi-Fi and its kind, under one name.
const WIFI: AboutFact[] = [
  yesNo('amenities', 'wifi', 'has_wi_fi'),
  { section: 'amenities', label: 'wifi', attribute: 'wi_fi', says: { kind: 2, value: 'free_wifi' } },
]

const entrance = (yes: boolean): AboutFact => ({
  section: 'accessibility',
  label: 'wheelchair_entrance',
  attribute: 'has_wheelchair_accessible_entrance',
  says: yes ? { kind: 1, yes } : { kind: 1, yes, noLabel: 'no_wheelchair_entrance' },
})

// "Credit cards" may be a yes, a list of brands, or both under one name.
const payments = (asYes: boolean, asBrands: boolean, brands: string[]): AboutFact[] => [
  ...(asYes ? [yesNo('payments', 'credit_cards', 'pay_credit_card')] : []),
  yesNo('payments', 'debit_cards', 'pay_debit_card'),
  yesNo('payments', 'nfc', 'pay_mobile_nfc'),
  ...(asBrands
    ? [
        {
          section: 'payments',
          label: 'credit_cards',
          attribute: 'pay_credit_card_types_accepted',
          says: { kind: 3, values: brands },
        } satisfies AboutFact,
      ]
    : []),
]
