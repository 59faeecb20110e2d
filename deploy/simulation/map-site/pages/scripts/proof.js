// The marks by which the site knows that scripts run: a cookie, and a header of the page's own requests.
const { token } = window.WIZ_global_data

export function setScriptCookie() {
  // biome-ignore lint/suspicious/noDocumentCookie: the site's own scripts set it like this
  document.cookie = `OTZ=${token}; path=/; max-age=2592000; SameSite=Lax`
}

export const scriptHeader = { 'x-maps-diversion-context-bin': token }
