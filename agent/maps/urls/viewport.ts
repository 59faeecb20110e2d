import { pbMessage, pbNumber } from './pb.ts'

/** A piece of the map: its centre in degrees and the zoom level of the address bar (1 to 21). */
export interface Viewport {
  readonly latitude: number
  readonly longitude: number
  readonly zoom: number
}

// Metres at zoom 15, the equator and 768 pixels of height. Exact to 10 digits on four recorded `pb` values.
const ALTITUDE_AT_ZOOM_15 = 15_959.273281372596
const WIDTH = 1_024
const HEIGHT = 768
const FIELD_OF_VIEW = 13.1

/** The camera's height in metres, by which the site expresses the zoom: half of it for each level. */
export function altitude(latitude: number, zoom: number, height: number = HEIGHT): number {
  return (ALTITUDE_AT_ZOOM_15 * 2 ** (15 - zoom) * Math.cos((latitude * Math.PI) / 180) * height) / 768
}

/** The viewport as a message of `pb`, with the rotation that some requests carry. */
export function viewportPb(field: number, { latitude, longitude, zoom }: Viewport, rotation = false): string {
  const camera = [pbNumber(1, 'd', altitude(latitude, zoom)), pbNumber(2, 'd', longitude), pbNumber(3, 'd', latitude)]
  return pbMessage(
    field,
    pbMessage(1, ...camera),
    ...(rotation ? [pbMessage(2, pbNumber(1, 'f', 0), pbNumber(2, 'f', 0), pbNumber(3, 'f', 0))] : []),
    pbMessage(3, pbNumber(1, 'i', WIDTH), pbNumber(2, 'i', HEIGHT)),
    pbNumber(4, 'f', FIELD_OF_VIEW),
  )
}
