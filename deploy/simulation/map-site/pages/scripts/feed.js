import { cardOf } from './card.js'
import { fetchBody, parseBody } from './net.js'
import { at, element, escapeText, keepBody } from './nodes.js'
import { showPlace } from './place.js'

const data = window.WIZ_global_data
const FIRST_CARDS = 10
const PAGE = 20
const NEAR_END = 240
// The page's list ends here, although the endpoint returns more.
const MOST_CARDS = 120

function nodesOf(payload) {
  const rows = (at(payload, 0, 1) ?? []).map((row) => at(row, 14)).filter(Array.isArray)
  return rows.length > 0 ? rows : (at(payload, 64) ?? []).map((row) => at(row, 1)).filter(Array.isArray)
}

const adsOf = (payload) => (at(payload, 2, 1, 0) ?? []).map((row) => at(row, 15)).filter(Array.isArray)

function frame(query) {
  const banner = data.limited
    ? `<div class="m6QErb XiKgde "><div class="S3H0Nb fontBodyMedium"><span>${escapeText(data.words.limited)} <button class="kyuRq" aria-label="${escapeText(data.words.learnMore)}">?</button></span></div></div>`
    : ''
  return element(
    `<div class="m6QErb WNBkOb XiKgde " role="main"><div class="m6QErb DxyBCb kA9KIf dS8AEf XiKgde ecceSd" tabindex="-1"><div class="m6QErb DxyBCb kA9KIf dS8AEf XiKgde ecceSd" aria-label="${escapeText(`${data.words.resultsFor} ${query}`)}" role="feed" tabindex="-1"></div><div class="TFQHme"></div>${banner}</div></div>`,
  )
}

const spinner = () => element('<div><div class="lXJj5c Hk4XGb "><div class="OBAKjf  veYFef"></div></div></div>')

const endMark = () =>
  element(
    `<div class="m6QErb XiKgde tLjsW eKbjU " style="height: 64px; padding: 16px 67px;"><div class="PbZDve "><p class="fontBodyMedium "><span><span class="HlvSq">${escapeText(data.words.endOfList)}</span></span></p></div></div>`,
  )

/** Creates the feed of a search: the drawn cards, the cards to draw, and the next page to fetch. */
function createFeed(query, address) {
  const pane = frame(query)
  const list = pane.querySelector('[role="feed"]')
  const tail = spinner()
  const drawnKeys = new Set()
  const waiting = []
  let offset = 0
  let ended = false
  let busy = false

  const draw = (node, sponsored) => list.insertBefore(cardOf(node, sponsored), tail)
  const drawSome = (count) => {
    for (const node of waiting.splice(0, count)) draw(node, false)
  }
  const finish = () => {
    ended = true
    tail.remove()
    list.append(element('<div></div>'), endMark())
  }
  const take = (payload) => {
    const undrawn = nodesOf(payload).filter((node) => !drawnKeys.has(at(node, 10)))
    for (const node of undrawn) {
      drawnKeys.add(at(node, 10))
      waiting.push(node)
    }
    return undrawn.length
  }
  const nextPage = async () => {
    offset += PAGE
    const text = await fetchBody(address.replace('%217i20', `%217i20%218i${offset}`))
    keepBody(text, 2)
    return take(parseBody(text))
  }
  const more = async () => {
    if (busy || ended) return
    busy = true
    try {
      if (waiting.length > 0) drawSome(PAGE)
      else if (drawnKeys.size < MOST_CARDS && (await nextPage()) > 0) drawSome(PAGE)
      else finish()
    } finally {
      busy = false
    }
    if (!ended && list.scrollHeight <= list.clientHeight) more()
  }
  list.append(tail)
  list.addEventListener('scroll', () => {
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - NEAR_END) more()
  })
  return {
    pane,
    start(payload) {
      for (const node of adsOf(payload)) draw(node, true)
      take(payload)
      drawSome(FIRST_CARDS)
      if (list.scrollHeight <= list.clientHeight) more()
    },
  }
}

function showNothing(pane, query) {
  pane.replaceChildren(
    element(
      `<div class="m6QErb WNBkOb" role="main"><div class="Q2vNVc fontBodyMedium">${escapeText(`${data.words.notFound} ${query}`)}</div></div>`,
    ),
  )
}

/** Draws a search: the feed, a single place, or the notice that nothing was found. */
export async function showSearch(pane, query, address) {
  const text = await fetchBody(address)
  keepBody(text, 2)
  const payload = parseBody(text)
  const nodes = nodesOf(payload)
  if (nodes.length === 0) return showNothing(pane, query)
  if (nodes.length === 1 && adsOf(payload).length === 0) return showPlace(pane, { node: nodes[0] })
  const feed = createFeed(query, address)
  pane.replaceChildren(feed.pane)
  feed.start(payload)
}
