import { callService, fetchBody, parseBody } from './net.js'
import { at, element, escapeText, pictureAddress } from './nodes.js'

const { words, hl, vintage } = window.WIZ_global_data
const PAGE = 10
const NEAR_END = 200
const MOST_RELEVANT = 1

/** A review as the page shows it. */
export function reviewOf(item) {
  const id = escapeText(item[0])
  const author = at(item, 1, 4, 5, 0) ?? at(item, 1, 4, 0, 4) ?? at(item, 1, 4, 2, 1)
  const stars = at(item, 2, 0, 0) ?? at(item, 2, 8, 1)
  const text = at(item, 2, 15, 1, 0) ?? at(item, 2, 15, 0, 0)
  const reply = at(item, 3, 14, 0, 0)
  const pictures = (at(item, 2, 2) ?? []).map((photo) => `<img alt="" src="${pictureAddress(at(photo, 1, 6, 0))}">`)
  return element(
    `<div class="jftiEf fontBodyMedium " aria-label="${escapeText(author)}" data-review-id="${id}"><div data-review-id="${id}"><div class="jJc9Ad "><button class="al6Kxe" data-review-id="${id}" data-href="${escapeText(at(item, 1, 4, 2, 0))}"><div class="d4r55 fontTitleMedium">${escapeText(author)}</div></button><div class="DU9Pgb"><span class="kvMYJc" role="img" aria-label="${stars} ${escapeText(words.stars)}"></span><span class="rsqaWe">${escapeText(at(item, 1, 6))}</span></div>${text === undefined ? '' : `<div class="MyEned"><span class="wiI7pd">${escapeText(text)}</span></div>`}<div class="KtCyie">${pictures.join('')}</div>${reply ? `<div class="CDe7pd"><div class="wiI7pd">${escapeText(reply)}</div></div>` : ''}</div></div></div>`,
  )
}

async function pageByList(id, token) {
  const pb = `!1m6!1s${id}!6m4!4m1!1e1!4m1!1e3!2m2!1i${PAGE}!2s${token}!5m2!1sx!7e81!8m9!2b1!3b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!11m0!13m1!1e${MOST_RELEVANT}`
  return parseBody(await fetchBody(`/maps/rpc/listugcposts?authuser=0&hl=${hl}&gl=de&pb=${encodeURIComponent(pb)}`))
}

const pageByService = (id, token) =>
  callService('qv9Egd', '/MapsUgcPostService.ListUgcPosts', [[id], [PAGE, token || null], MOST_RELEVANT])

/** Shows the list of all reviews; the next ones come when it is scrolled to its end. */
export function showReviews(pane, id, title) {
  const main = element(
    `<div class="m6QErb WNBkOb XiKgde " role="main" aria-label="${escapeText(title)}"><div class="m6QErb DxyBCb kA9KIf dS8AEf XiKgde " tabindex="-1"><div class="m6QErb XiKgde "></div></div></div>`,
  )
  const scroller = main.firstElementChild
  const list = scroller.firstElementChild
  let token = ''
  let busy = false
  const more = async () => {
    if (busy || token === null) return
    busy = true
    const [, next, items] = await (vintage === '2026' ? pageByService(id, token) : pageByList(id, token))
    token = next || null
    list.append(...(items ?? []).map((item) => reviewOf(item[0])))
    busy = false
  }
  scroller.addEventListener('scroll', () => {
    if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - NEAR_END) more()
  })
  pane.replaceChildren(main)
  return more()
}
