import type { AboutOption, AboutSection, Place } from '@placefleet/shared/place'
import {
  filled,
  fitLine,
  integerAt,
  lineAt,
  listAt,
  omitUndefined,
  paragraphAt,
  readEach,
  textAt,
} from '../../answers/values.ts'

const MAX_SECTIONS = 100
const MAX_OPTIONS = 200
const MAX_VALUES = 100
const CARD_TYPES = '/pay_credit_card_types_accepted'
const KIND = { yesNo: 1, oneValue: 2, list: 3 } as const

export function readAbout(node: unknown): Partial<Place> {
  const sections = listAt(node, 100, 1)
  const about = readEach(sections, readSection)
  const options = sections.flatMap((section) => listAt(section, 2))
  // By id: the name depends on the language, and the yes/no option has the same name.
  const cards = options.filter((option) => textAt(option, 0)?.endsWith(CARD_TYPES)).flatMap(valuesOf)
  return { about: filled(about, MAX_SECTIONS), credit_cards_accepted: filled([...new Set(cards)], MAX_VALUES) }
}

function readSection(section: unknown): AboutSection | undefined {
  const id = lineAt(section, 0)
  const name = lineAt(section, 1) ?? id
  const options = mergeByName(readEach(listAt(section, 2), readOption))
  if (id === undefined || name === undefined || options.length === 0) return undefined
  return { id, name, options: options.slice(0, MAX_OPTIONS) }
}

function readOption(option: unknown): AboutOption | undefined {
  const name = lineAt(option, 1)
  const kind = integerAt(option, 2, 0)
  if (name === undefined) return undefined
  if (kind === KIND.yesNo) return { name, enabled: integerAt(option, 2, 1, 0, 0) === 1 }
  const values = filled(valuesOf(option), MAX_VALUES)
  // A list of values has no flag: an option that lists values is enabled.
  return values === undefined ? undefined : { name, enabled: true, values }
}

function valuesOf(option: unknown): string[] {
  const kind = integerAt(option, 2, 0)
  if (kind === KIND.oneValue) return labels([listAt(option, 2, 3)])
  return kind === KIND.list ? labels(listAt(option, 2, 4, 1, 0, 0)) : []
}

// A value is [id, null, label, label].
function labels(values: readonly unknown[]): string[] {
  return readEach(values, (value) => fitLine(textAt(value, 2) ?? textAt(value, 3)))
}

// "Credit cards" comes twice, as yes/no and as a list of brands. Both become one option at the position of the first.
function mergeByName(options: readonly AboutOption[]): AboutOption[] {
  const merged = new Map<string, AboutOption>()
  for (const option of options) {
    const before = merged.get(option.name)
    merged.set(option.name, before === undefined ? option : joined(before, option))
  }
  return [...merged.values()]
}

function joined(first: AboutOption, second: AboutOption): AboutOption {
  const values = filled([...new Set([...(first.values ?? []), ...(second.values ?? [])])], MAX_VALUES)
  return { name: first.name, enabled: first.enabled || second.enabled, ...(values && { values }) }
}

/**
 * Reads whether an owner has claimed the place, the owner's account, and the description: the editorial text, else the
 * owner's. An unclaimed place has no owner.
 */
export function readOwner(node: unknown): Partial<Place> {
  const id = ownerId(node)
  return {
    claimed: id === undefined ? isUnclaimed(node) : true,
    owner:
      id === undefined
        ? undefined
        : omitUndefined({ id, name: lineAt(node, 57, 1), link: `https://www.google.com/maps/contrib/${id}` }),
    description: paragraphAt(node, 32, 1, 1) ?? paragraphAt(node, 32, 0, 1) ?? paragraphAt(node, 154, 0, 0),
  }
}

const CLAIM_LINK = /^https:\/\/business\.google\.com\/create\b/

// An unclaimed place has a name without an id, or a link to claim it. Short answers have neither.
function isUnclaimed(node: unknown): false | undefined {
  const offersClaim = [textAt(node, 49, 0), textAt(node, 226, 0)].some((link) => CLAIM_LINK.test(link ?? ''))
  return offersClaim || textAt(node, 57, 1) !== undefined ? false : undefined
}

function ownerId(node: unknown): string | undefined {
  const id = fitLine(textAt(node, 57, 2))
  return id !== undefined && /^\d{1,30}$/.test(id) ? id : undefined
}
