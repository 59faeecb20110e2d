import type { PhotoTab } from '../language.ts'
import { chance } from '../random.ts'

/** A photo. Its URL consists of the id and a size. */
export interface Photo {
  id: string
  kind: 'photo' | 'video' | 'panorama' | 'street_view'
  width: number
  height: number
}

const PHOTO_SALT = 81

/** Picture number `nth` of a place. */
export function photoOf(seed: number, index: number, nth: number): Photo {
  const dice = chance(seed, index, nth, PHOTO_SALT)
  return {
    id: dice.happens(0.5) ? `AF1Qip${dice.token(38)}` : `CIABIhA${dice.token(21)}`,
    kind: 'photo',
    width: dice.pick([4000, 3024, 1280]),
    height: dice.pick([3000, 4032, 853]),
  }
}

/** Returns the URL of a photo in payloads; `size` is the part after the last "=". */
export const photoUrl = (photo: Photo, size: string) =>
  photo.kind === 'street_view'
    ? `https://streetviewpixels-pa.googleapis.com/v1/thumbnail?panoid=${photo.id}&cb_client=maps_sv.tactile.gps&w=224&h=298&yaw=120.5&pitch=0&thumbfov=100`
    : `https://lh5.googleusercontent.com/p/${photo.id}=${size}`

/** Returns the URL of the smallest form of a video. */
export const videoUrl = (video: Photo) => `https://lh3.googleusercontent.com/gpms-cs-s/${video.id}=m18`

/**
 * Returns the tabs of pictures of a place. Some places have none, some no panorama of the street in front or only that
 * of a visitor.
 */
export function photosOf(seed: number, index: number, gastronomy: boolean) {
  const dice = chance(seed, index, PHOTO_SALT + 1)
  if (dice.happens(0.07)) return { photos: [], photoCount: 0, panorama: undefined }
  const tabs: PhotoTab[] = ['all', 'latest']
  if (dice.happens(0.3)) tabs.push('videos')
  if (gastronomy) tabs.push('menu', 'food')
  if (dice.happens(0.5)) tabs.push('owner')
  const photos = tabs.map((tab, nth): { tab: PhotoTab; photo: Photo } => {
    const photo = photoOf(seed, index, nth)
    return { tab, photo: tab === 'videos' ? { ...photo, kind: 'video' } : photo }
  })
  const roll = dice.next()
  const panorama = roll < 0.6 ? dice.token(22) : undefined
  const last = photoOf(seed, index, tabs.length)
  if (panorama) photos.push({ tab: 'street_view', photo: { ...last, id: panorama, kind: 'street_view' } })
  else if (roll < 0.75) photos.push({ tab: 'street_view', photo: { ...last, kind: 'panorama' } })
  return { photos, photoCount: dice.between(photos.length, 400), panorama }
}
