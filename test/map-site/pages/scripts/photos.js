import { callService } from './net.js'
import { at, element, pictureAddress } from './nodes.js'

const COUNT = 20

/** Shows the first photos of a place. */
export async function showPhotos(pane, id) {
  const args = [2, null, [id], null, [null, [203, 100], [null, COUNT, null, null, 1]]]
  const [photos] = await callService('hspqX', '/MapsPhotoService.ListEntityPhotos', args)
  const images = photos.map((photo) => `<a class="OKAoZd"><img alt="" src="${pictureAddress(at(photo, 6, 0))}"></a>`)
  pane.replaceChildren(
    element(`<div class="m6QErb WNBkOb" role="main"><div class="m6QErb DxyBCb">${images.join('')}</div></div>`),
  )
}
