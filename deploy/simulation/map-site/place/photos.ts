import { type Photo, photoUrl } from '../city/photos.ts'
import { type Cell, row } from '../payload/row.ts'
import { clickId, sessionId } from '../payload/tracking.ts'
import type { View } from '../view.ts'
import type { PlaceDetails } from './details.ts'
import { type Facet, filled } from './facet.ts'

const KIND = {
  photo: { source: 10, type: 12, form: 1 },
  video: { source: 10, type: 10, form: 0 },
  panorama: { source: 10, type: 11, form: 2 },
  street_view: { source: 0, type: 1, form: 2 },
} as const

/** Returns the photo record of all lists of pictures. `label`: its text, if any. */
export function photoRecord(place: PlaceDetails, photo: Photo, size: string, label?: string): Cell[] {
  const { id, kind, width, height } = photo
  const { source, type, form } = KIND[kind]
  const dimensions: Cell = kind === 'street_view' ? null : [width, height]
  const address = place.address?.line
  const upload: Cell = [2, null, null, [8], 2, [null, null, 'photos:gmm_android', [6, 7, 4]], null, null, [2024, 6, 1]]
  const video = (size: string) => `https://lh3.googleusercontent.com/ggs/${id}=${size}`
  const videos: Cell = [
    [18, 360, 640, video('m18'), 1],
    [22, 720, 1280, video('m22'), 1],
  ]
  return row({
    0: id,
    1: source,
    2: type,
    3: '',
    6: [photoUrl(photo, size), '', dimensions, [203, 100]],
    8: [[3, place.location.lon, place.location.lat], [0, 90], dimensions, 75],
    9: sessionId(place.index),
    10: clickId(place.index, 31),
    15: [[[place.ids.dataId]]],
    17: address ? [address] : undefined,
    20: label,
    21: row({ 1: [source, id], 2: [10, 3, [height, width]], 6: upload }),
    22: form,
    26: kind === 'video' ? [7051, videos] : undefined,
  })
}

const TAB_TOKENS = {
  all: 'CgIgAQ==',
  latest: 'CgIgARICGAI=',
  videos: 'CgIgARICCAQ=',
  menu: 'CgIYIQ==',
  food: 'CgIYIA==',
  owner: 'CgIgARICEAE=',
  street_view: 'CgIgARICCAI=',
} as const

/** Returns one picture and their number `[37]`, the thumbnail small and large `[72]`, and a picture per tab `[171]`. */
export function photosFacet(place: PlaceDetails, { words }: View): Facet {
  const { photos, photoCount, panorama, index } = place
  const first = photos[0]?.photo
  if (!first) return { members: {}, truth: {} }
  const thumbnails = ['w86-h86-k-no', 'w408-h306-k-no'].map((size) => photoRecord(place, first, size, 'Photo'))
  const tabs = photos.map(({ tab, photo }): Cell => {
    const records = [photoRecord(place, photo, 'w298-h298-k-no')]
    return [TAB_TOKENS[tab], clickId(index, 41), words.photoTabs[tab], records, ...row({ 6: 0 })]
  })
  return {
    members: {
      37: [[photoRecord(place, first, 'w138-h92-k-no')], photoCount],
      72: [thumbnails, 1],
      171: [tabs],
    },
    truth: {
      thumbnail: photoUrl(first, 'w408-h306-k-no'),
      images: filled(
        photos.map(({ tab, photo }) => ({ title: words.photoTabs[tab], url: photoUrl(photo, 'w298-h298-k-no') })),
      ),
      street_view_url: panorama && `https://www.google.com/maps/@?api=1&map_action=pano&pano=${panorama}`,
    },
  }
}
