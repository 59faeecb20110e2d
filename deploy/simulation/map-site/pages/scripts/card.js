import { at, cardAddress, element, escapeText, formatted, pictureAddress } from './nodes.js'

const { words } = window.WIZ_global_data

const DOT = '<span aria-hidden="true">·</span>'

function ratingRow(node) {
  const rating = at(node, 4, 7)
  if (rating === undefined) return ''
  const count = at(node, 4, 8)
  const value = rating.toFixed(1)
  const label =
    count === undefined ? `${value} ${words.stars}` : `${value} ${words.stars} ${formatted(count)} ${words.reviews}`
  const shown = count === undefined ? '' : `<span class="UY7F9" aria-hidden="true">(${formatted(count)})</span>`
  return `<span class="e4rVHe fontBodyMedium"><span role="img" class="ZkP5Je" aria-label="${escapeText(label)}"><span class="MW4etd" aria-hidden="true">${value}</span>${shown}</span></span>`
}

function statusRow(node) {
  const status = at(node, 203, 1, 4, 0)
  const mark = at(node, 88, 0)
  const phone = at(node, 178, 0, 0)
  const shut =
    mark === 'CLOSED_PERMANENTLY'
      ? `<span class="eXlrNe">${escapeText(status)}</span>`
      : `<span>${escapeText(status)}</span>`
  return `<div class="W4Efsd"><span>${status ? shut : ''}</span>${phone ? `<span> ${DOT} <span class="UsdlK">${escapeText(phone)}</span></span>` : ''}</div>`
}

function websiteButton(node) {
  const url = at(node, 7, 0)
  if (!url) return ''
  return `<div class="etWJQ jym1ob kdfrQc WY7ZIb"><a class="lcr4fd S9kvJb " aria-label="${escapeText(at(node, 11))}" data-value="Website" href="${escapeText(url)}"><div class="R8c4Qb fontLabelMedium">${escapeText(words.website)}</div></a></div>`
}

const sponsoredMark = () =>
  `<div class="OcdnDb "><h1 class="kpih0e f8ia3c uvopNe" aria-label="${escapeText(words.sponsored)}"><span class="jHLihd lV5Ihd">${escapeText(words.sponsored)}</span></h1></div>`

/** Returns the card of a place node in the feed. */
export function cardOf(node, sponsored) {
  const name = escapeText(at(node, 11))
  const street = at(node, 183, 1, 1)
  const picture = at(node, 72, 0, 1, 6, 0) ?? at(node, 72, 0, 0, 6, 0)
  return element(
    `<div><div role="article" class="Nv2PK tH5CWc THOPZb " aria-label="${name}" jsaction="mouseover:pane.wfvdle2;mouseout:pane.wfvdle2"><a class="hfpxzc" aria-label="${name}" href="${escapeText(cardAddress(node))}" jsaction="pane.wfvdle2"></a><div class="bfdHYd Ppzolf OFBs3e  "><div class="hHbUWd">${sponsored ? sponsoredMark() : ''}</div><div class="lI9IFe "><div class="y7PRA"><div class="Z8fK3b"><div class="UaQhfb fontBodyMedium"><div class="NrDZNb"><div class="qBF1Pd fontHeadlineSmall ">${name}</div></div><div class="W4Efsd"><div class="AJB7ye">${ratingRow(node)}</div></div><div class="W4Efsd"><div class="W4Efsd"><span><span>${escapeText(at(node, 13, 0))}</span></span>${street ? `<span> ${DOT} <span>${escapeText(street)}</span></span>` : ''}</div>${statusRow(node)}</div></div></div></div><div class="Rwjeuc">${websiteButton(node)}<div class="etWJQ jym1ob kdfrQc WY7ZIb"><button class="S9kvJb " data-value="Directions"><div class="R8c4Qb fontLabelMedium">${escapeText(words.directions)}</div></button></div></div><div class="SpFAAb">${picture ? `<div class="xwpmRb qisNDe"><img decoding="async" alt="" width="84" height="84" src="${pictureAddress(picture)}"></div>` : ''}</div></div></div></div></div>`,
  )
}
