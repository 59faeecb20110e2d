import type { Image, Place } from '@placefleet/shared/place'
import { type Photo, photoImage } from '../maps/photos/payload.ts'

/** How more photos than a page shows are had, until `enough`; none when the site gives none. */
export type MorePhotos = (enough: (photos: readonly Photo[]) => boolean) => Promise<readonly Photo[]>

/** What of a place's photos is there already: one a tab, the single ones of its payload, and how many there are in all. */
export type KnownPhotos = {
  readonly tabs: readonly Image[]
  readonly shown: readonly Photo[]
  readonly count: number | undefined
}

/**
 * The images of a place, `most` of them at most, each once and at full size: those of its tabs, those shown, and only if
 * there are more and more are wanted, those of its gallery.
 */
export async function imagesOf(known: KnownPhotos, most: number, more: MorePhotos): Promise<Pick<Place, 'images'>> {
  if (most === 0) return {}
  const images = new Map<string, Image>()
  const add = (found: readonly Image[]) => {
    for (const image of found) {
      const source = withoutSize(image.url)
      if (!images.has(source)) images.set(source, { ...image, url: atFullSize(image.url) })
    }
  }
  add([...known.tabs, ...imagesFrom(known.shown)])
  if (images.size < most && images.size < (known.count ?? 0)) {
    const wanted = most - images.size
    add(imagesFrom(await more((photos) => photos.filter(({ url }) => !images.has(withoutSize(url))).length >= wanted)))
  }
  const collected = [...images.values()].slice(0, most)
  return collected.length > 0 ? { images: collected } : {}
}

const imagesFrom = (photos: readonly Photo[]) => photos.filter(({ kind }) => kind !== 'street_view').map(photoImage)

// The same photo stands in a tab, among those shown and in the gallery, in several sizes: the part behind the last "=".
const SIZE = /=[whs]\d+(-[a-z0-9]+)*$/

const withoutSize = (url: string) => url.replace(SIZE, '')

/** The site's pictures come in any size that their address asks for; `s0` is that of the original. */
const atFullSize = (url: string) => url.replace(SIZE, '=s0')
