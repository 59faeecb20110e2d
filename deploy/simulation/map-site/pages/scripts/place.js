import { fetchBody, parseBody } from './net.js'
import { at, barAddress, bodyInPage, element, escapeText, formatted, keepBody, pictureAddress } from './nodes.js'
import { showPhotos } from './photos.js'
import { reviewOf, showReviews } from './reviews.js'

const { words, hl, limited } = window.WIZ_global_data
const INLINE = 3
const PAYLOAD = 6

const line = (item, label, value, tag = 'button', extra = '') =>
  value
    ? `<div class="RcCsl fVHpi w4vB1d NOE9ve M0S7ae AG25L "><${tag} class="CsEnBe" aria-label="${escapeText(label ? `${label}: ${value} ` : value)}" data-item-id="${escapeText(item)}" ${extra}><div class="AeaXub"><div class="rogA2c "><div class="Io6YTe fontBodyMedium kR99db fdkmkc ">${escapeText(value)}</div></div></div></${tag}></div>`
    : ''

const link = (url) => `href="${escapeText(url)}"`

function heading(d) {
  const rating = at(d, 4, 7)
  const count = at(d, 4, 8)
  const value = rating?.toFixed(1)
  const stars = value
    ? `<span><span aria-hidden="true">${value}</span><span class="ceNzKf" role="img" aria-label="${value} ${escapeText(words.stars)} "></span></span>`
    : ''
  const reviews =
    count === undefined
      ? ''
      : `<span><span><span role="img" aria-label="${formatted(count)} ${escapeText(words.reviews)}">(${formatted(count)})</span></span></span>`
  return `<div class="TIHn2 "><div class="lMbq3e"><h1 class="DUwDvf lfPIob"><span class="a5H0ec"></span>${escapeText(at(d, 11))}<span class="G0bp3e"></span></h1><div class="LBgpqf"><div class="skqShb "><div class="F7nice ">${stars}${reviews}</div></div><div class="fontBodyMedium"><span><span><button class="DkEaL ">${escapeText(at(d, 13, 0))}</button></span></span></div></div></div></div>`
}

// The site logs its buttons under these numbers. They do not depend on the language.
const LOGGED_TAB = 'jslog="145620; track:click;"'
const LOGGED_MORE = 'jslog="62394;track:click;mutable:true"'

const tab = (label, index) =>
  `<button role="tab" class="hh2c6 ${index === 0 ? 'G7m0Af' : ''}" aria-label="${escapeText(label)}" aria-selected="${index === 0}" data-tab-index="${index}" ${label === words.reviews ? LOGGED_TAB : ''}><div class="Gpq6kf NlVald">${escapeText(label)}</div></button>`

function tabs(d) {
  const labels = [words.overview, ...(at(d, 38) ? [words.menu] : []), words.reviews, words.about]
  return `<div class="RWPxGd" role="tablist">${labels.map(tab).join('')}</div>`
}

function hours(d) {
  const status = at(d, 203, 1, 4, 0)
  const days = at(d, 203, 0) ?? []
  const rows = days.map(
    (day, index) =>
      `<tr class="y0skZc"><td class="ylH6lf ${index === 0 ? 'fontTitleSmall' : ''}"><div>${escapeText(day[0])}</div></td><td class="mxowUb" role="text"><ul>${day[3].map((slot) => `<li class="G8aQO">${escapeText(slot[0])}</li>`).join('')}</ul></td></tr>`,
  )
  const table =
    rows.length > 0
      ? `<div class="t39EBf GUrTXd"><table class="eK4R0e fontBodyMedium"><tbody>${rows.join('')}</tbody></table></div>`
      : ''
  return status || table
    ? `<div class="OqCZI fontBodyMedium WVXvdc"><span class="ZDu9vd"><span>${escapeText(status)}</span></span>${table}</div>`
    : ''
}

const details = (d) =>
  [
    line('address', words.address, at(d, 39)),
    hours(d),
    line('authority', words.website, at(d, 7, 1), 'a', link(at(d, 7, 0))),
    line('menu', words.menu, at(d, 38, 1), 'a', link(at(d, 38, 0))),
    line('action:1', words.reserve, at(d, 46, 0, 1), 'a', link(at(d, 46, 0, 0))),
    line(`phone:tel:${at(d, 178, 0, 3)}`, words.phone, at(d, 178, 0, 0)),
    line('oloc', words.plusCode, at(d, 183, 2, 2, 0)),
  ].join('')

function starRows(d) {
  const counts = at(d, 175, 3)
  if (!counts) return ''
  const rows = [5, 4, 3, 2, 1].map((stars) => {
    const count = formatted(counts[stars - 1])
    return `<tr class="BHOKXe" role="img" aria-label="${stars} ${escapeText(words.stars)}, ${count} ${escapeText(words.reviews)}"><td class="yxmtmf fontBodyMedium">${stars}</td></tr>`
  })
  return `<div class="ExlQHd"><table><tbody>${rows.join('')}</tbody></table></div>`
}

/** Returns the reviews in a place payload, at either of their positions. */
const inlineReviews = (d) => at(d, 175, 9, 0, 0) ?? at(d, 175, 0, 0) ?? []

function moreReviewsButton(d, pane) {
  if (inlineReviews(d).length === 0 && !(limited && at(d, 4, 7))) return []
  const count = at(d, 4, 8)
  const label =
    count === undefined ? words.moreReviews : `${words.moreReviews} (${formatted(Math.max(0, count - INLINE))})`
  const button = element(
    `<div class="m6QErb Hk4XGb QoaCgb XiKgde KoSBEe tLjsW "><div class="j3fM2b "><button class="M77dve " aria-label="${escapeText(label)}" ${LOGGED_MORE}><span class="wNNZR fontTitleSmall">${escapeText(label)}</span></button></div></div>`,
  )
  button.querySelector('button').addEventListener('click', () => showReviews(pane, at(d, 10), at(d, 11)))
  return [button]
}

function draw(pane, d) {
  const picture = at(d, 72, 0, 1, 6, 0)
  const main = element(
    `<div class="m6QErb WNBkOb XiKgde " role="main" aria-label="${escapeText(at(d, 11))}"><div class="m6QErb DxyBCb kA9KIf dS8AEf XiKgde " tabindex="-1">${picture ? `<div class="ZKCDEc"><img alt="" src="${pictureAddress(picture)}"><button class="Dx2nRe"><div class="fontBodyMedium YkuOqf">${escapeText(words.seePhotos)}</div></button></div>` : ''}${heading(d)}${tabs(d)}${limited ? `<div class="S3H0Nb fontBodyMedium">${escapeText(words.limited)}</div>` : ''}<div class="m6QErb XiKgde " role="region">${details(d)}</div>${starRows(d)}<div class="m6QErb reviews"></div></div></div>`,
  )
  const reviews = main.querySelector('.reviews')
  reviews.append(
    ...inlineReviews(d)
      .slice(0, INLINE)
      .map((item) => reviewOf(item[0])),
    ...moreReviewsButton(d, pane),
  )
  main.querySelector('.Dx2nRe')?.addEventListener('click', () => showPhotos(pane, at(d, 10)))
  for (const button of main.querySelectorAll('[role="tab"]'))
    if (button.getAttribute('aria-label') === words.reviews)
      button.addEventListener('click', () => showReviews(pane, at(d, 10), at(d, 11)))
  pane.replaceChildren(main)
}

const shortAddress = (dataId) =>
  `/maps/preview/place?authuser=0&hl=${hl}&gl=de&pb=${encodeURIComponent(`!1m1!1s${dataId}`)}`

/**
 * Draws a place. Its payload comes from the page or from `address`. A search with a single match passes its `node`;
 * then the payload is fetched by id and the address bar shows the place's URL.
 */
export async function showPlace(pane, { address, node }) {
  const inPage = node ? undefined : bodyInPage(PAYLOAD)
  if (node) history.pushState(null, '', barAddress(node))
  const text = inPage ?? (await fetchBody(node ? shortAddress(at(node, 10)) : address))
  keepBody(text, PAYLOAD)
  const d = at(parseBody(text), PAYLOAD)
  document.title = `${at(d, 11)} - Google Maps`
  draw(pane, d)
}
