import { callService } from './net.js'
import { at, element, escapeText, pictureAddress } from './nodes.js'

const { words } = window.WIZ_global_data
const PAGE = 10
const NEAR_END = 200
const ORDERS = [words.mostRelevant, words.newest, words.highest, words.lowest]

/** Returns the element of a review. */
export function reviewOf(item) {
  const id = escapeText(item[0])
  const author = at(item, 1, 4, 5, 0) ?? at(item, 1, 4, 2, 1)
  const stars = at(item, 2, 0, 0) ?? at(item, 2, 8, 1)
  const text = at(item, 2, 15, 1, 0) ?? at(item, 2, 15, 0, 0)
  const reply = at(item, 3, 14, 0, 0)
  const pictures = (at(item, 2, 2) ?? []).map((photo) => `<img alt="" src="${pictureAddress(at(photo, 1, 6, 0))}">`)
  return element(
    `<div class="jftiEf fontBodyMedium " aria-label="${escapeText(author)}" data-review-id="${id}"><div data-review-id="${id}"><div class="jJc9Ad "><button class="al6Kxe" data-review-id="${id}" data-href="${escapeText(at(item, 1, 4, 2, 0))}"><div class="d4r55 fontTitleMedium">${escapeText(author)}</div></button><div class="DU9Pgb"><span class="kvMYJc" role="img" aria-label="${stars} ${escapeText(words.stars)}"></span><span class="rsqaWe">${escapeText(at(item, 1, 6))}</span></div>${text === undefined ? '' : `<div class="MyEned"><span class="wiI7pd">${escapeText(text)}</span></div>`}<div class="KtCyie">${pictures.join('')}</div>${reply ? `<div class="CDe7pd"><div class="wiI7pd">${escapeText(reply)}</div></div>` : ''}</div></div></div>`,
  )
}

const pageByService = (id, token, sort) =>
  callService('qv9Egd', '/MapsUgcPostService.ListUgcPosts', [[id], [PAGE, token || null], sort])

/** Returns the button that opens the menu of sort orders. Calls `choose` with the number of the order, from 1. */
function sortButton(choose) {
  const box = element(
    `<div class="m6QErb Hk4XGb "><button class="S9kvJb " aria-label="${escapeText(words.sort)}" data-value="Sort" jslog="59550;track:click;mutable:true"><span class="GMtm7c fontTitleSmall">${escapeText(words.sort)}</span></button></div>`,
  )
  const items = ORDERS.map(
    (label, index) =>
      `<div class="fxNQSd" role="menuitemradio" aria-checked="${index === 0}" data-index="${index}" tabindex="-1"><div class="mLuXec">${escapeText(label)}</div></div>`,
  )
  box.firstElementChild.addEventListener('click', () => {
    const menu = element(`<div class="DJulHb" role="menu" id="action-menu">${items.join('')}</div>`)
    for (const item of menu.children)
      item.addEventListener('click', () => {
        menu.remove()
        choose(Number(item.dataset.index) + 1)
      })
    box.append(menu)
  })
  return box
}

/** Shows the list of all reviews, most relevant first. Scrolling to its end loads more. */
export function showReviews(pane, id, title) {
  const main = element(
    `<div class="m6QErb WNBkOb XiKgde " role="main" aria-label="${escapeText(title)}"><div class="m6QErb DxyBCb kA9KIf dS8AEf XiKgde " tabindex="-1"><div class="m6QErb XiKgde "></div></div></div>`,
  )
  const scroller = main.firstElementChild
  const list = scroller.lastElementChild
  let shown = { sort: 1, token: '', busy: false }
  const more = async () => {
    const now = shown
    if (now.busy || now.token === null) return
    now.busy = true
    const [, next, items] = await pageByService(id, now.token, now.sort)
    if (now !== shown) return // the user chose another order meanwhile
    now.token = next || null
    list.append(...(items ?? []).map((item) => reviewOf(item[0])))
    now.busy = false
  }
  const choose = (sort) => {
    shown = { sort, token: '', busy: false }
    list.replaceChildren()
    more()
  }
  scroller.addEventListener('scroll', () => {
    if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - NEAR_END) more()
  })
  scroller.prepend(sortButton(choose))
  pane.replaceChildren(main)
  return more()
}
