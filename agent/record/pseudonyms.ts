/** Replaces what belongs to persons. The same text gets the same replacement in every recording of one run. */
export interface Pseudonyms {
  /** Remembers the persons in a place, a review or a list of them. */
  learn(value: unknown): void
  /**
   * Remembers every text that stands in one short list with the link to a profile or the picture of a person, wherever
   * that is: a parser does not know where a new layout has its names.
   */
  learnNeighbours(value: unknown): void
  /** Returns a text of a recording without the persons in it. */
  replace(text: string): string
  /** How many names, texts and pictures have got a pseudonym. */
  count(): number
}

// Members of results and expectations that a person wrote or that name one.
const TEXTS = new Set(['author', 'text', 'text_original', 'text_translated', 'question', 'answers'])
const IDS = new Set(['id', 'author_id'])
const ID_LENGTH = 12
// Shorter names are words too.
const NAME_LENGTH = 6
// Parsers cut long texts, and join their lines.
const KEY_LENGTH = 40

const PICTURE = /((?:googleusercontent|ggpht)\.com\/)([^=?"'\s\\&]+)/g
/** A longer list is about a place, and names its owner among much else. */
const LONGEST_OF_PERSON = 12
const OF_PERSON = /\/contrib\/\d|googleusercontent\.com\/a[-/]/
const PROFILE = /(\/contrib\/)(\d+)/g
const EMAIL = /[\w.+-]+@[\w-]+\.[a-z]{2,}/gi
const SESSION = /((?:!|%21)(?:22m5(?:!|%21)1|14m3(?:!|%21)1|14m1(?:!|%21)3)s)([\w-]+)/g
// The ids of an event and of a drawn part of a page.
const EVENT = /\b0ahUKE[\w-]+/g
const API_KEY = /AIza[\w-]+/g

/** Creates pseudonyms. They are numbered by appearance, so nothing of the original can be computed from them. */
export function createPseudonyms(): Pseudonyms {
  const numbers = new Map<string, number>()
  const texts = new Set<string>()
  const parts = new Set<string>()
  const pseudonym = (text: string): string => {
    const key = keyOf(text)
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return inShapeOf(text, number)
  }
  const learn = (value: unknown, name = ''): void => {
    if (typeof value === 'string') {
      if (TEXTS.has(name) && value !== '') texts.add(keyOf(value))
      if (IDS.has(name) && value.length >= ID_LENGTH && /\d/.test(value)) parts.add(value)
      if (name === 'author' && value.length >= NAME_LENGTH) parts.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (key !== 'posts') learn(member, Array.isArray(value) ? name : key) // the business wrote them
      }
      if (name === 'owner' && 'name' in value && typeof value.name === 'string') texts.add(keyOf(value.name))
    }
  }
  const learnNeighbours = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const members: unknown[] = Object.values(value)
    const strings = members.filter((member) => typeof member === 'string')
    if (members.length <= LONGEST_OF_PERSON && strings.some((text) => OF_PERSON.test(text))) {
      for (const text of strings) if (!text.includes('/') && /\p{L}/u.test(text)) texts.add(keyOf(text))
    }
    for (const member of members) learnNeighbours(member)
  }
  return {
    learn,
    learnNeighbours,
    count: () => numbers.size,
    replace(text) {
      if (texts.has(keyOf(text)) && keyOf(text) !== '') return pseudonym(text)
      const withoutLinks = text
        .replace(PICTURE, (_, host: string, path: string) => host + picturePath(path, pseudonym))
        .replace(PROFILE, (_, path: string, id: string) => path + pseudonym(id))
        .replace(SESSION, (_, start: string, token: string) => start + pseudonym(token))
        .replace(EVENT, pseudonym)
        .replace(EMAIL, pseudonym)
        .replace(API_KEY, pseudonym)
      return [...parts]
        .filter((part) => withoutLinks.includes(part))
        .reduce((rest, part) => rest.replaceAll(part, pseudonym(part)), withoutLinks)
    },
  }
}

// Some answers write texts as HTML, which parsers decode. Marks are left out of the key, so that both have the same.
const keyOf = (text: string): string =>
  text
    .replace(/<br>|&#?\w+;/g, ' ')
    .replace(/[&<>"'\s]+/g, ' ')
    .trim()
    .slice(0, KEY_LENGTH)

// Sizes and formats stand behind "=", kinds of pictures are short segments: they tell a parser what to do.
const picturePath = (path: string, pseudonym: (text: string) => string): string =>
  path
    .split('/')
    .map((segment) => (segment.length > 3 ? pseudonym(segment) : segment))
    .join('/')

/** Replaces letters by letters and digits by digits, so that lengths, spaces, punctuation and line breaks stay. */
function inShapeOf(text: string, number: number): string {
  let state = number * 7_919
  const next = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % count
  }
  return text.replace(/<br>|&#?\w+;|\p{L}|\p{Nd}/gu, (character) => {
    if (/^[<&]/.test(character)) return character
    if (/\p{Nd}/u.test(character)) return String(next(10))
    const letter = String.fromCharCode(97 + next(26)).padEnd(character.length, 'x')
    return character === character.toLowerCase() ? letter : letter.toUpperCase()
  })
}
