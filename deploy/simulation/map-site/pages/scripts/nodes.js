/** Returns the member at a path of indexes; undefined if a step is missing. */
export const at = (value, ...path) => path.reduce((inner, index) => inner?.[index] ?? undefined, value)

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML. */
export const escapeText = (text) => String(text ?? '').replace(/[&<>"']/g, (sign) => ENTITIES[sign])

/** Creates an element from HTML. */
export function element(html) {
  const template = document.createElement('template')
  template.innerHTML = html.trim()
  return template.content.firstElementChild
}

/** Formats a number in the page's language, e.g. "1,234". */
export const formatted = (count) => count.toLocaleString(document.documentElement.lang || 'en')

const nameInAddress = (name) => encodeURIComponent(name).replaceAll('%20', '+').replaceAll("'", '%27')

const kgmidPart = (kgmid) =>
  kgmid.startsWith('/m/') ? `!16z${btoa(kgmid).replace(/=+$/, '')}` : `!16s${encodeURIComponent(kgmid)}`

const dataPart = (node) =>
  `1s${at(node, 10)}!8m2!3d${at(node, 9, 2)}!4d${at(node, 9, 3)}${kgmidPart(at(node, 89))}!19s${at(node, 78)}`

/** Returns the URL of a place in the links of cards. */
export function cardAddress(node) {
  const { origin, hl } = window.WIZ_global_data
  return `${origin}/maps/place/${nameInAddress(at(node, 11))}/data=!4m7!3m6!${dataPart(node)}?authuser=0&hl=${hl}&rclk=1`
}

/** Returns the URL of a place in the address bar. */
export function barAddress(node) {
  const [lat, lon] = [at(node, 9, 2), at(node, 9, 3)]
  return `/maps/place/${nameInAddress(at(node, 11))}/@${lat},${lon},17z/data=!3m1!4b1!4m6!3m5!${dataPart(node)}?hl=${window.WIZ_global_data.hl}`
}

/** Returns the URL on this site for the URL of an image in a payload. */
export const pictureAddress = (url) =>
  `/img/${encodeURIComponent(
    String(url ?? 'none')
      .split('/')
      .at(-1),
  )}`

/** Stores a raw payload in the page state, at an index under a changing key. */
export function keepBody(text, index) {
  const kept = Array(index).fill(null)
  kept[index] = text
  const key = String.fromCharCode(97 + (text.length % 26), 97 + ((text.length >> 4) % 26))
  window.APP_INITIALIZATION_STATE[3] = { [key]: kept }
}

/** Returns the body at an index of the state in the page; undefined if there is none. */
export function bodyInPage(index) {
  const body = window.APP_INITIALIZATION_STATE[3]?.[index]
  return typeof body === 'string' ? body : undefined
}
