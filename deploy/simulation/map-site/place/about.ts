import type { AboutSection } from '@placefleet/shared/place'
import type { AboutWord, Words } from '../language.ts'
import { type Cell, row } from '../payload/row.ts'
import { chance } from '../random.ts'
import type { View } from '../view.ts'
import type { PlaceDetails } from './details.ts'
import { type Facet, filled } from './facet.ts'

/** A fact in the "About" tab: yes or no (1), one value in words (2) or brand names (3). */
type Fact = { section: AboutWord; label: AboutWord; attribute: string } & (
  | { kind: 1; no?: AboutWord }
  | { kind: 2; value: AboutWord }
  | { kind: 3; brands: readonly string[] }
)

const ABOUT_SALT = 71
const BRANDS = ['American Express', 'Mastercard', 'VISA'] as const

/** Returns `[100]`: the facts by section. */
export function aboutFacet(place: PlaceDetails, { words }: View): Facet {
  const facts = factsOf(place)
  if (facts.length === 0) return { members: {}, truth: {} }
  const sections = [...Map.groupBy(facts, ({ section }) => section)]
  const cells = sections.map(([id, listed]): Cell => [id, words.about[id], listed.map((fact) => cellOf(fact, words))])
  return {
    members: { 100: row({ 1: cells, 3: facts.slice(0, 2).map((fact) => cellOf(fact, words)) }) },
    truth: {
      about: sections.map(([id, listed]) => ({ id, name: words.about[id], options: optionsOf(listed, words) })),
      credit_cards_accepted: filled(facts.flatMap((fact) => (fact.kind === 3 ? fact.brands : []))),
    },
  }
}

function factsOf({ seed, index, category, gastronomy }: PlaceDetails): Fact[] {
  const dice = chance(seed, index, ABOUT_SALT)
  if (dice.happens(0.1)) return []
  const facts: Fact[] = []
  const yes = (section: AboutWord, label: AboutWord, attribute: string, more: { no?: AboutWord } = {}) =>
    facts.push({ section, label, attribute, kind: 1, ...more })
  if (gastronomy) {
    yes('service_options', 'outdoor_seating', 'has_seating_outdoors')
    if (dice.happens(0.6)) yes('service_options', 'delivery', 'has_delivery')
    if (dice.happens(0.8)) yes('service_options', 'dine_in', 'serves_dine_in')
  }
  if (dice.happens(0.8)) {
    const no = dice.happens(0.6) ? {} : { no: 'no_wheelchair_entrance' as const }
    yes('accessibility', 'wheelchair_entrance', 'has_wheelchair_accessible_entrance', no)
  }
  if (gastronomy || category.id === 'hotel') {
    yes('amenities', 'toilets', 'has_restroom')
    if (dice.happens(0.5)) {
      // Payloads name both whether there is Wi-Fi and its kind, under one name.
      yes('amenities', 'wifi', 'has_wi_fi')
      facts.push({ section: 'amenities', label: 'wifi', attribute: 'wi_fi', kind: 2, value: 'free_wifi' })
    }
  }
  // "Credit cards" may be a yes, a list of brands, or both under one name.
  if (dice.happens(0.7)) yes('payments', 'credit_cards', 'pay_credit_card')
  yes('payments', 'debit_cards', 'pay_debit_card')
  const [hasBrands, brands] = [dice.happens(0.6), BRANDS.slice(dice.between(0, 2))]
  const types = { label: 'credit_cards', attribute: 'pay_credit_card_types_accepted' } as const
  if (hasBrands) facts.push({ section: 'payments', ...types, kind: 3, brands })
  return facts
}

function cellOf(fact: Fact, words: Words): Cell {
  const isNo = fact.kind === 1 && fact.no
  return [
    `/geo/type/establishment_poi/${fact.attribute}`,
    words.about[fact.label],
    valueCell(fact, words),
    isNo ? 1 : null,
    [1],
    0,
  ]
}

function valueCell(fact: Fact, { about }: Words): Cell {
  if (fact.kind === 2) return [2, null, null, ['/m/free', null, about[fact.value], about[fact.value]]]
  if (fact.kind === 3) {
    const brands = fact.brands.map((brand, nth): Cell => [`/g/11g9h0tjc${nth}`, null, brand, brand])
    return [3, null, null, null, [null, [[brands, null, [1]]]]]
  }
  const flag = fact.no ? 0 : 1
  const text = about[fact.no ?? fact.label]
  return [1, [[flag, text]], [flag, text, about[fact.label], text]]
}

// Options of one name are one option, as "Credit cards" as a yes and as a list of brands.
function optionsOf(facts: Fact[], { about }: Words): AboutSection['options'] {
  return [...Map.groupBy(facts, ({ label }) => label)].map(([label, same]) => {
    const values = same.flatMap((fact) => (fact.kind === 3 ? fact.brands : fact.kind === 2 ? [about[fact.value]] : []))
    const enabled = same.some((fact) => fact.kind !== 1 || !fact.no)
    return { name: about[label], enabled, ...(values.length > 0 ? { values } : {}) }
  })
}
