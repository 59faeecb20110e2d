import { callService } from './net.js'
import { at, element, pictureAddress } from './nodes.js'

const COUNT = 20

const NEAR_END = 200

const tile = (photo) =>
  element(
    `<a class="OKAoZd" style="display:block;height:200px"><img alt="" src="${pictureAddress(at(photo, 6, 0))}"></a>`,
  )

/** Shows the photos of a place. Scrolling to the end of the gallery loads more. */
export function showPhotos(pane, id) {
  const gallery = element(`<div class="m6QErb DxyBCb" style="height:500px;overflow-y:auto"></div>`)
  const shown = { token: undefined, busy: false }
  const more = async () => {
    if (shown.busy || shown.token === null) return
    shown.busy = true
    const args = [2, null, [id], null, [null, [203, 100], [null, COUNT, shown.token ?? null, null, 1]]]
    const [photos, , , , , next] = await callService('hspqX', '/MapsPhotoService.ListEntityPhotos', args)
    gallery.append(...photos.map(tile))
    shown.token = next ?? null
    shown.busy = false
  }
  gallery.addEventListener('scroll', () => {
    if (gallery.scrollTop + gallery.clientHeight >= gallery.scrollHeight - NEAR_END) more()
  })
  const main = element(`<div class="m6QErb WNBkOb" role="main"></div>`)
  main.append(gallery)
  pane.replaceChildren(main)
  return more()
}
