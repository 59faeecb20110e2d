import { loadPage } from '../maps/answers/dom.ts'
import { pageState } from '../maps/answers/page-state.ts'
import { readAnswer } from './read-answer.ts'
import { maskOf } from './reads.ts'

// What parsers may look for. Styles, events and logs of the page are no part of that.
const ATTRIBUTES =
  /^(class|role|href|rel|as|src|lang|aria-label|aria-hidden|data-(item-id|value|review-id|href)|id|action|method|name|type|value)$/
const CODE = 'script, style, svg, noscript, iframe'
const STATE = 'window.APP_INITIALIZATION_STATE='

/** Reduces a page to the elements and attributes that tell its kind, and masks every text that no parser reads. */
export function reducePage(
  html: string,
  replace: (text: string) => string,
  reduceState: (state: unknown) => unknown,
  now: number,
): string {
  const $ = loadPage(html)
  const words = wordsIn(readAnswer(html, now))
  const shown = (text: string): string => replace(isAmong(words, text) ? text : maskLetters(text))
  const state = pageState(html)
  $(CODE).remove()
  for (const element of $('*').toArray()) {
    for (const [name, value] of Object.entries($(element).attr() ?? {})) {
      if (!ATTRIBUTES.test(name) || (name === 'href' && !isPlaceOrRead(words, value, $(element).is('link')))) {
        $(element).removeAttr(name)
      } else if (name === 'src' || name === 'aria-label') $(element).attr(name, shown(value))
      else $(element).attr(name, replace(value))
    }
    for (const node of $(element).contents().toArray()) {
      if (node.type === 'comment') $(node).remove()
      if (node.type === 'text') node.data = shown(node.data)
    }
  }
  if (state !== undefined) {
    const json = JSON.stringify(reduceState(state)).replaceAll('<', '\\u003c')
    $('head').append(`<script>${STATE}${json};window.APP_FLAGS=[];</script>`)
  }
  return $.html()
}

function isPlaceOrRead(words: readonly string[], href: string, isLink: boolean): boolean {
  return isLink ? /^\/(search|maps\/preview)/.test(href) : href.includes('/maps/place/') || isAmong(words, href)
}

const SHORTEST = 4

/** Returns whether a text of a page is a part of a result, or has one in it. */
function isAmong(words: readonly string[], text: string): boolean {
  const plain = plainText(text)
  return words.some((word) => word.includes(plain) || (word.length >= SHORTEST && plain.includes(word)))
}

const maskLetters = (text: string): string => text.replace(/\p{L}+/gu, maskOf)

const plainText = (text: string): string => text.replace(/\s+/g, ' ').trim()

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [plainText(value)].filter((text) => text !== '')
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...wordsIn(member),
  ])
}
