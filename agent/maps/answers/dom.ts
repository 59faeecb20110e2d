import { createRequire } from 'node:module'
import { asciiDigits } from '@placefleet/shared/text'
import type { CheerioAPI } from 'cheerio/slim'
import { fitLine, fitParagraph } from './values.ts'

const require = createRequire(import.meta.url)
/** Loaded with the first page that is read: 6 MB, which an agent that gets payloads never needs. */
const cheerio = (): typeof import('cheerio/slim') => require('cheerio/slim')
const parser = (): typeof import('htmlparser2') => require('htmlparser2')

type Document = ReturnType<typeof import('htmlparser2')['parseDocument']>

export type Part = ReturnType<CheerioAPI>

// Pages of the site nest 30 levels deep, and browsers stop at 512. Searching a deeper tree overflows the stack.
const MAX_DEPTH = 512
// The lenient parser. The parser of the standard takes 75 times as long for a deep page.
const OPTIONS = { xmlMode: false, decodeEntities: true } as const

/** Parses a page for searches by selector. A page of more than 512 levels gives an empty tree. */
export function loadPage(html: string): CheerioAPI {
  return cheerio().load(treeOf(html) ?? '', { xml: OPTIONS })
}

// The parser moves its whole stack for each element that it opens. So it has to stop early in a deep page.
function treeOf(html: string): Document | undefined {
  const { DomHandler, Parser } = parser()
  const tooDeep = new Error(`more than ${MAX_DEPTH} levels`)
  let depth = 0
  class BoundedHandler extends DomHandler {
    override onopentag(name: string, attributes: Record<string, string>): void {
      depth += 1
      if (depth > MAX_DEPTH) throw tooDeep
      super.onopentag(name, attributes)
    }
    override onclosetag(): void {
      depth -= 1
      super.onclosetag()
    }
  }
  const handler = new BoundedHandler(undefined, OPTIONS)
  try {
    new Parser(handler, OPTIONS).end(html)
    return handler.root
  } catch (error) {
    if (error === tooDeep) return undefined
    throw error
  }
}

export const textOf = (part: Part): string | undefined => fitLine(joinedText(part))

export const paragraphOf = (part: Part): string | undefined => fitParagraph(joinedText(part))

const joinedText = (part: Part): string => part.first().text().replace(/\s+/g, ' ')

export const attributeOf = (part: Part, name: string): string | undefined => fitLine(part.first().attr(name))

// A point, comma, apostrophe or space separates thousands. India groups by two digits above the thousands.
const INTEGER = /\d{1,3}(?:[.,'’٬\s]\d{2,3})*[.,'’٬\s]\d{3}(?!\d)|\d+/g
const MAX_COUNT = 1_000_000_000

/** Returns all counts in a text: "5 stars, 13,894 reviews" gives 5 and 13894. */
export function countsIn(text: string | undefined): number[] {
  const written = latinDigits(text ?? '').match(INTEGER) ?? []
  return written.map((digits) => Number(digits.replace(/\D/g, ''))).filter((count) => count <= MAX_COUNT)
}

/**
 * Returns the count when the text holds only the count and brackets: "(1,856)". Undefined for a rounded count ("1.2K").
 */
export function countIn(text: string | undefined): number | undefined {
  const bare = text?.replace(/[()（）\u200e\u200f\u061c]/g, '').trim() ?? ''
  const [digits] = latinDigits(bare).match(INTEGER) ?? []
  return digits !== undefined && digits.length === bare.length ? countsIn(bare)[0] : undefined
}

// What makes a number before it a rounded one: a plus sign, one letter ("2 K", Turkish "2 B"), or a word for thousand
// or more in a language of jobs.
const THOUSANDS =
  /^\s*(?:\+|(?:[\p{Script=Latin}\p{Script=Cyrillic}]|ts[dn]|tys|tis|tūkst|tuh|tuhat|tuks|mil|mii|mill?|mio|mln|mld|mrd|rb|ribu|jt|juta|хил|тыс|тис|млн|χιλ|εκ|آلاف|ألف|אלף|พัน|หมื่น|แสน)(?![\p{L}\p{M}])|[千万萬億亿천만])/iu
const ROUNDED = /[~≈<>+%…]/

/**
 * Returns the count in words that hold one number: "27 reviews", in any language. Undefined when they hold another
 * number, or a rounded one ("1.2K", "2 Tsd.", "100+").
 */
export function onlyCountIn(text: string | undefined): number | undefined {
  const words = latinDigits(text ?? '')
  const [number, ...more] = [...words.matchAll(INTEGER)]
  if (number === undefined || more.length > 0 || ROUNDED.test(words)) return undefined
  const before = words.slice(0, number.index)
  const after = words.slice(number.index + number[0].length)
  // A digit of another script beside it would be a part of the number.
  if (/[\p{N}.,-]$/u.test(before) || /^(?:\p{N}|[.,]\p{N})/u.test(after) || THOUSANDS.test(after)) return undefined
  return countsIn(number[0])[0]
}

/** Returns the rating when the text holds only the rating: "4.7", "4,7". */
export function ratingIn(text: string | undefined): number | undefined {
  const written = /^\d(?:[.,٫]\d{1,2})?$/.exec(latinDigits(text ?? ''))?.[0]
  const rating = written === undefined ? 0 : Number(written.replace(/[,٫]/, '.'))
  return rating > 0 && rating <= 5 ? rating : undefined
}

const latinDigits = (text: string): string => asciiDigits(text, ZEROS)

// The zeros of Arabic, Persian, Hindi, Bengali and full-width digits.
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10]
