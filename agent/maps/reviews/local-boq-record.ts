import type { Review } from '@placefleet/shared/review'
import { withoutEntities } from '../answers/body.ts'
import { languageTag } from '../answers/language.ts'
import { fitLine, fitParagraph, lineAt, listAt, type Node, omitUndefined, textAt, urlAt } from '../answers/values.ts'
import { fitStars, millisToIso, readAnswers, urlsOf } from './payload.ts'

/**
 * Reads a record of GetLocalBoqProxy. A record has 30 to 48 members, and an optional member moves those after it. So
 * the parts are located by their forms, in this order: stars, time, author, the owner's reply, id, links, photos,
 * language, text, short text, a number, answers, original text. Undefined without an id. `now` is in milliseconds.
 */
export function readLocalBoqRecord(record: unknown, now: number): Review | undefined {
  const members = listAt(record)
  const firstText = members.findIndex(isText)
  const id = idOf(members.slice(firstText).filter(isText))
  if (id === undefined) return undefined
  const head = members.slice(0, firstText)
  const time = head.find(isTime)
  const author = head.find(isAuthor)
  const reply = plainText(textAt(head.find(isReply), 2))
  const photos = listAt(members.find(isPhotos))
  return omitUndefined({
    id,
    author: lineAt(author, 0),
    author_url: profileOf(urlAt(author, 2)),
    profile_picture: urlAt(author, 1),
    rating: fitStars(head.find((member) => typeof member === 'number')),
    ...readTexts(members.slice(firstText + 1)),
    published_at: millisToIso(millisOf(time), now),
    relative_time: lineAt(time, 0),
    images: urlsOf(photos, (photo) => urlAt(photo, 0)),
    videos: urlsOf(photos, (photo) => urlAt(photo, 5)),
    answers: readAnswers(members.find(isAnswers)),
    reply: reply === undefined ? undefined : { text: reply },
  })
}

const isText = (member: unknown): member is string => textAt([member], 0) !== undefined

const LINK = /^\w+:\/\/\S+$/

/** Returns the id of a review from the texts of its record. The link that reports the review names it too. */
function idOf(texts: readonly string[]): string | undefined {
  const [first] = texts
  if (first !== undefined && !LINK.test(first)) return fitLine(first)
  const named = texts.map((text) => (LINK.test(text) ? URL.parse(text)?.searchParams.get('postId') : null))
  return fitLine(named.find((id) => id) ?? undefined)
}

/** Milliseconds since 1970 in `[relative time, null, "milliseconds"]`. */
function millisOf(time: unknown): number | undefined {
  const digits = textAt(time, 2)
  return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

const isTime = (member: unknown): boolean => millisOf(member) !== undefined

// [name, picture, page of the writer]
const isAuthor = (member: unknown): boolean =>
  lineAt(member, 0) !== undefined && (urlAt(member, 1) ?? urlAt(member, 2)) !== undefined

// [null, relative time, text]
const isReply = (member: unknown): boolean => textAt(member, 2) !== undefined && !isTime(member) && !isAuthor(member)

// [[URL, …], …]
const isPhotos = (member: unknown): boolean => urlAt(member, 0, 0) !== undefined

// [[[id of the question], …], …]
const isAnswers = (member: unknown): boolean => textAt(member, 0, 0, 0) !== undefined

// The link leads to the writer's reviews. The other lists link the profile itself.
const profileOf = (url: string | undefined): string | undefined => url?.replace(/(\/contrib\/\d+)\/reviews\b/, '$1')

/**
 * Reads the members after the id: `links, language, text, short text, number, answers, null, original text`. The first
 * of three texts is the language, and of fewer if it is a language tag that the next text does not repeat.
 */
function readTexts(members: Node): Pick<Review, 'text' | 'text_original' | 'language'> {
  const first = members.findIndex((member) => isText(member) && !LINK.test(member))
  const texts = first < 0 ? [null] : [...members.slice(first), null]
  const isEnd = (member: unknown, at: number) =>
    typeof member === 'number' || isAnswers(member) || !(isText(member) || isText(texts[at + 1]))
  // The last null ends texts at the end of the record.
  const end = texts.findIndex(isEnd)
  const shown = texts.slice(0, end).filter(isText)
  const isLanguage = shown.length > 2 || (languageTag(shown[0]) !== undefined && shown[0] !== shown[1])
  const text = plainText(isLanguage ? shown[1] : shown[0])
  const original = plainText(texts.slice(end).find(isText))
  return {
    text: text ?? original,
    text_original: text === undefined || original === text ? undefined : original,
    language: isLanguage ? languageTag(shown[0]) : undefined,
  }
}

/** Returns the text of a snippet of HTML, with lines instead of `<br>`. */
const plainText = (html: string | undefined): string | undefined =>
  fitParagraph(html && withoutEntities(html.replace(/<br\s*\/?>/gi, '\n')))
