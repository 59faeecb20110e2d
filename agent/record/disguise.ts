import { createHmac, randomBytes } from 'node:crypto'
import { parsedJson } from '@placefleet/shared/text'
import { isGuarded, parseBody } from '../maps/answers/body.ts'
import { pageState } from '../maps/answers/page-state.ts'

/**
 * Replaces what belongs to persons, and texts in which a person may be named, by letters and digits of the same shape.
 * The same text gets the same replacement in all answers of one recording, so that parsers still tell items apart.
 */
export type Disguise = {
  /** Remembers the persons in places, reviews and photos. */
  learn(items: unknown): void
  /** Remembers the persons in an answer whom a parser may not find: what stands in a short list with a profile. */
  learnNeighbours(value: unknown): void
  /** Returns an answer in disguise: a page or JSON, also JSON within it. */
  apply(answer: string): string
  /** How many different texts were replaced. */
  count(): number
}

// Members of items that a person wrote, or that name a person. The posts are the business's.
const OF_PERSONS = new Set(['author', 'text', 'text_original', 'question', 'answers'])
const IDS = new Set(['id', 'author_id'])
const ID_LENGTH = 12
/** A shorter name is also a word, so it counts only as a whole text. */
const NAME_LENGTH = 6
/** A longer list is about a place, and names its owner among much else. */
const LONGEST_OF_PERSON = 12
const BESIDE_PERSONS = /\/contrib\/\d|googleusercontent\.com\/a[-/]/
/** A text of more words, or without a space of more letters, may name anybody. Keys of places are shorter. */
const MOST_WORDS = 5
const MOST_LETTERS = 40

const PICTURE = /((?:googleusercontent|ggpht)\.com\/)([^=?"'\s\\&]+)/g
const SECRETS = [
  /(?<=\/contrib\/)\d+/g,
  /(?<=(?:!|%21)(?:22m5(?:!|%21)1|14m3(?:!|%21)1|14m1(?:!|%21)3)s)[\w-]+/g, // the session of a page
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  /(?<![\w-])(?!ChIJ|\w{0,5}0x)(?=[a-z_-]*[\dA-Z])[\w-]{20,}/g, // words joined by signs are kinds of things
]
const GUARD = ")]}'\n"

/** Creates a disguise with a key of its own, so that nothing leads back to the original. */
export function createDisguise(): Disguise {
  const key = randomBytes(16)
  const wholeTexts = new Set<string>()
  const parts = new Set<string>()
  const replaced = new Set<string>()
  const disguised = (text: string): string => {
    replaced.add(text)
    return inShapeOf(text, createHmac('sha256', key).update(text).digest())
  }
  const learnName = (name: string) => {
    wholeTexts.add(plain(name))
    if (name.length >= NAME_LENGTH && name.length <= MOST_LETTERS) parts.add(name)
  }
  const learn = (value: unknown, name = ''): void => {
    if (typeof value === 'string') {
      if (OF_PERSONS.has(name)) learnName(value)
      if (IDS.has(name) && value.length >= ID_LENGTH && /\d/.test(value)) parts.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (key !== 'posts') learn(member, Array.isArray(value) ? name : key)
      }
      if (name === 'owner' && 'name' in value && typeof value.name === 'string') wholeTexts.add(plain(value.name))
    }
  }
  const learnNeighbours = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const members: unknown[] = Object.values(value)
    const strings = members.filter((member) => typeof member === 'string')
    if (members.length <= LONGEST_OF_PERSON && strings.some((text) => BESIDE_PERSONS.test(text))) {
      for (const text of strings) if (!text.includes('/') && /\p{L}/u.test(text)) learnName(text)
    }
    for (const member of members) learnNeighbours(member)
  }
  const ofText = (text: string): string => {
    if (isGuarded(text) || /^\s*\[/.test(text)) return ofAnswer(text)
    if (wholeTexts.has(plain(text)) || isLong(text)) return disguised(text)
    const withoutPictures = text.replace(PICTURE, (_, host: string, path: string) => {
      return host + path.replace(/[^/]{4,}/g, disguised) // shorter parts tell the kind of picture
    })
    const withoutSecrets = SECRETS.reduce((rest, secret) => rest.replace(secret, disguised), withoutPictures)
    return [...parts]
      .filter((part) => withoutSecrets.includes(part))
      .reduce((rest, part) => rest.replaceAll(part, disguised(part)), withoutSecrets)
  }
  const ofValue = (value: unknown): unknown => {
    if (typeof value === 'string') return ofText(value)
    if (Array.isArray(value)) return value.map(ofValue)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ofValue(member)]))
  }
  const ofAnswer = (text: string): string => {
    const value = parseBody(text)
    if (value !== undefined) return (isGuarded(text) ? GUARD : '') + JSON.stringify(ofValue(value))
    // The answer to a batch is lines, of which some are JSON.
    const lines = text.split('\n').map((line) => {
      const chunk = line.startsWith('[') ? parsedJson(line) : undefined
      return chunk === undefined ? line.replace(/\p{L}+/gu, disguised) : JSON.stringify(ofValue(chunk))
    })
    return lines.join('\n')
  }
  return {
    learn,
    learnNeighbours,
    apply: (answer) => (answer.trimStart().startsWith('<') ? ofPage(answer, ofText, ofValue) : ofAnswer(answer)),
    count: () => replaced.size,
  }
}

const CODE = /<(script|style|svg|noscript|iframe)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi
const ATTRIBUTE = /\s([\w-]+)\s*=\s*("[^"]*"|'[^']*')/g
/** The attributes that tell the kind of a page, and what it requests. */
const TELLING = /^(?:class|role|id|href|rel|as|src|action|method|name|type|value|data-[\w-]+)$/i
const STATE = 'window.APP_INITIALIZATION_STATE='

/** Keeps the elements of a page and its state, and of its texts the shape. */
function ofPage(html: string, ofText: (text: string) => string, ofValue: (value: unknown) => unknown): string {
  const elements = html
    .replace(CODE, '')
    .replace(/>[^<]+/g, masked)
    .replace(ATTRIBUTE, (_, name: string, value: string) => ` ${name}=${TELLING.test(name) ? ofText(value) : '""'}`)
  const state = pageState(html)
  if (state === undefined) return elements
  const json = JSON.stringify(ofValue(state)).replaceAll('<', '\\u003c')
  return `${elements}<script>${STATE}${json};window.APP_FLAGS=[];</script>`
}

const masked = (text: string): string => text.replace(/\p{L}/gu, 'x').replace(/\p{Nd}/gu, '0')

function isLong(text: string): boolean {
  const words = text.trim().split(/\s+/)
  return words.length > MOST_WORDS || (text.length > MOST_LETTERS && !/[/:]/.test(text))
}

/** Some answers write texts as HTML, which parsers decode, and parsers join lines. Only letters and digits tell. */
const plain = (text: string): string => text.replace(/<br>|&#?\w+;|[^\p{L}\p{N}]/gu, '')

/** Replaces letters by letters and digits by digits, so that lengths, spaces, punctuation and line breaks stay. */
function inShapeOf(text: string, bytes: Buffer): string {
  let at = 0
  return text.replace(/<br>|&#?\w+;|\p{L}|\p{Nd}/gu, (character) => {
    if (/^[<&]/.test(character)) return character
    const byte = bytes.readUInt8(at++ % bytes.length)
    if (/\p{Nd}/u.test(character)) return String(byte % 10)
    const letter = String.fromCharCode(97 + (byte % 26)).padEnd(character.length, 'x')
    return character === character.toLowerCase() ? letter : letter.toUpperCase()
  })
}
