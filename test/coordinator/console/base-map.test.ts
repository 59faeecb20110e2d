import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { classifyRings, VectorTile } from '@mapbox/vector-tile'
import { SITE } from '@placefleet/coordinator/console/dist'
import { BASE_MAP_ZOOM } from '@placefleet/coordinator/console/src/map/base-map-detail'
import { PbfReader } from 'pbf'
import { expect, test } from 'vitest'

const EXTENT = 8_192

/** The tiles of the built console, in a folder that is named by their hash. */
const BASE_MAP = join(SITE, 'base-map')
const [hash = ''] = readdirSync(BASE_MAP)
const dir = join(BASE_MAP, hash)

type Point = { x: number; y: number }
type Address = [zoom: number, x: number, y: number]

const ZOOMS = Array.from({ length: BASE_MAP_ZOOM + 1 }, (_, zoom) => zoom)
const TILES = ZOOMS.flatMap((zoom) =>
  Array.from({ length: 4 ** zoom }, (_, n): Address => [zoom, Math.floor(n / 2 ** zoom), n % 2 ** zoom]),
)

/** Returns the lines or rings of each shape of a layer, in units of the tile. */
function shapesOf([zoom, x, y]: Address, name: string): Point[][][] {
  const tile = new VectorTile(new PbfReader(readFileSync(join(dir, `${zoom}`, `${x}`, `${y}.pbf`))))
  const layer = tile.layers[name]
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index).loadGeometry() ?? [])
}

/** Returns the polygons of land, each with its holes, as a renderer takes them: by the winding of the rings. */
const landOf = (tile: Address): Point[][][] =>
  shapesOf(tile, 'land').flatMap((rings) => classifyRings(rings as Parameters<typeof classifyRings>[0]))

const edgesOf = (line: Point[]): [Point, Point][] =>
  line.flatMap((to, index) => {
    const from = line[index - 1]
    return from ? [[from, to] as [Point, Point]] : []
  })

const isInside = ({ x, y }: Point, ring: Point[]): boolean => {
  const crossed = edgesOf(ring).filter(([from, to]) => {
    const isBeside = from.y > y !== to.y > y
    return isBeside && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)
  })
  return crossed.length % 2 === 1
}

/** Returns the tile of a place, and the place in the units of that tile (Web Mercator). */
function inTile(lat: number, lon: number, zoom: number): { tile: Address; point: Point } {
  const sine = Math.sin((lat * Math.PI) / 180)
  const x = ((lon + 180) / 360) * 2 ** zoom
  const y = (0.5 - Math.atanh(sine) / (2 * Math.PI)) * 2 ** zoom
  const tile: Address = [zoom, Math.floor(x), Math.floor(y)]
  return { tile, point: { x: (x - tile[1]) * EXTENT, y: (y - tile[2]) * EXTENT } }
}

test.each<[place: string, what: 'land' | 'sea', lat: number, lon: number]>([
  ['the Bay of Biscay', 'sea', 45.5, -5],
  ['Sicily', 'land', 37.5, 14.2],
  ['the Caspian Sea', 'sea', 41.5, 51],
  ['the middle of the Atlantic', 'sea', 30, -40],
  ['Hudson Bay', 'sea', 60, -86],
  ['the Arctic Ocean', 'sea', 84, -120],
  ['Chukotka, west of the antimeridian', 'land', 67.5, 178],
  ['Chukotka, east of the antimeridian', 'land', 66.6, -175],
  ['the Bering Sea', 'sea', 58, -179.5],
  ['Fiji, west of the antimeridian', 'land', -17.8, 178],
  ['the sea east of Fiji', 'sea', -18.5, -178],
  ['the Pacific at the antimeridian, north', 'sea', 30, 179.9],
  ['the Pacific at the antimeridian, south', 'sea', -30, -179.9],
  ['the south of New Zealand', 'land', -44.5, 170],
  ['Antarctica at the antimeridian', 'land', -84.5, 179.9],
  ['Antarctica beyond the antimeridian', 'land', -84.5, -179.9],
])('%s is %s at every zoom', (_place, what, lat, lon) => {
  const found = ZOOMS.map((zoom) => {
    const { tile, point } = inTile(lat, lon, zoom)
    const isLand = landOf(tile).some(([outer = [], ...holes]) => {
      return isInside(point, outer) && !holes.some((hole) => isInside(point, hole))
    })
    return isLand ? 'land' : 'sea'
  })
  expect(found).toEqual(ZOOMS.map(() => what))
})

/** The straightest border of the world, between Canada and the United States, is 28 degrees long. */
const LONGEST_LINE = 30 / 360

test('no line runs across an ocean at any zoom', () => {
  for (const tile of TILES) {
    const lengths = shapesOf(tile, 'outlines')
      .flat()
      .flatMap(edgesOf)
      .map(([from, to]) => Math.hypot(to.x - from.x, to.y - from.y) / EXTENT / 2 ** tile[0])
    expect({ tile, long: lengths.filter((length) => length > LONGEST_LINE) }).toEqual({ tile, long: [] })
  }
})
