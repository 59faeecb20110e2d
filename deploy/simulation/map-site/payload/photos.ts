import type { PlaceDetails } from '../city/details.ts'
import { type Photo, photoUrl } from '../city/photos.ts'
import { addressLine } from '../truth.ts'
import type { View } from '../view.ts'
import { type Cell, row } from './row.ts'
import { clickId, sessionId } from './tracking.ts'

const KIND: Record<Photo['kind'], { source: number; type: number; form: number }> = {
  photo: { source: 10, type: 12, form: 1 },
  video: { source: 10, type: 10, form: 0 },
  panorama: { source: 10, type: 11, form: 2 },
  street_view: { source: 0, type: 1, form: 2 },
}

/** Returns the photo record of all lists of pictures. `label`: its text, if any. */
export function photoRecord(place: PlaceDetails, photo: Photo, size: string, label?: string): Cell[] {
  const { source, type, form } = KIND[photo.kind]
  const dimensions: Cell = photo.kind === 'street_view' ? null : [photo.width, photo.height]
  const address = addressLine(place)
  return row({
    0: photo.id,
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
    21: row({ 1: [source, photo.id], 2: [10, 3, [photo.height, photo.width]], 6: uploaded(photo) }),
    22: form,
    26: photo.kind === 'video' ? videoCell(photo) : undefined,
  })
}

const uploaded = (photo: Photo): Cell[] => [
  photo.byOwner ? 1 : 2,
  null,
  null,
  [8],
  2,
  [null, null, photo.byOwner ? 'bizbuilder:gmb_android' : 'photos:gmm_android_review_post', [6, 7, 4, 1, 3]],
  null,
  null,
  [...photo.takenOn],
]

const videoCell = ({ id }: Photo): Cell => [
  7051,
  [
    [18, 360, 640, `https://lh3.googleusercontent.com/ggs/${id}=m18`, 1],
    [22, 720, 1280, `https://lh3.googleusercontent.com/ggs/${id}=m22`, 1],
  ],
]

const TAB_TOKENS = {
  all: 'CgIgAQ==',
  latest: 'CgIgARICGAI=',
  videos: 'CgIgARICCAQ=',
  menu: 'CgIYIQ==',
  food: 'CgIYIA==',
  owner: 'CgIgARICEAE=',
  street_view: 'CgIgARICCAI=',
} as const

/** Returns `[171]`: one picture for each tab. */
export function photoTabsCell(place: PlaceDetails, view: View): Cell | undefined {
  if (place.photos.length === 0) return undefined
  const tabs = place.photos.map(({ tab, photo }): Cell[] => [
    TAB_TOKENS[tab],
    clickId(place.index, 41),
    view.words.photoTabs[tab],
    [photoRecord(place, photo, 'w298-h298-k-no')],
    ...row({ 6: 0 }),
  ])
  return [tabs]
}

/** Returns `[37]`: one or two pictures and their total number. */
export function photosCell(place: PlaceDetails): Cell | undefined {
  const first = place.photos[0]
  return first && [[photoRecord(place, first.photo, 'w138-h92-k-no')], place.photoCount]
}

/** Returns `[72]`: the thumbnail, small and large. */
export function thumbnailCell(place: PlaceDetails): Cell | undefined {
  const first = place.photos[0]?.photo
  return first && [['w86-h86-k-no', 'w408-h306-k-no'].map((size) => photoRecord(place, first, size, 'Photo')), 1]
}
