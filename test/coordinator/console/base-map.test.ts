import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { classifyRings, VectorTile } from '@mapbox/vector-tile'
import { SITE } from '@placefleet/coordinator/console/dist'
import { BASE_MAP_ZOOM } from '@placefleet/coordinator/console/src/map/base-map-detail'
import earcut, { flatten } from 'earcut'
import { PbfReader } from 'pbf'
import { expect, test } from 'vitest'

const EXTENT = 8_192
const BUFFER = 128

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

/** Returns twice the area of a ring, negative for a hole. */
const areaOf = (ring: Point[]): number =>
  edgesOf(ring).reduce((area, [from, to]) => area + from.x * to.y - to.x * from.y, 0)

const edgesOf = (line: Point[]): [Point, Point][] =>
  line.flatMap((to, index) => {
    const from = line[index - 1]
    return from ? [[from, to] as [Point, Point]] : []
  })

/** Returns the triangles that a renderer fills: the browser's map uses the same library. */
function trianglesOf(polygon: Point[][]): Point[][] {
  const { vertices, holes, dimensions } = flatten(polygon.map((ring) => ring.map(({ x, y }) => [x, y])))
  const corners = Array.from(earcut(vertices, holes, dimensions), (index) => ({
    x: vertices[2 * index] ?? 0,
    y: vertices[2 * index + 1] ?? 0,
  }))
  return corners.flatMap((first, index) => {
    const [second, third] = corners.slice(index + 1, index + 3)
    return index % 3 === 0 && second && third ? [[first, second, third, first]] : []
  })
}

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
  ['Galicia', 'land', 42.8, -7.8],
  ['Madrid', 'land', 40.42, -3.7],
  ['Paris', 'land', 48.86, 2.35],
  ['Brittany', 'land', 48.1, -3],
  ['the North Sea', 'sea', 56, 3],
  ['the Baltic', 'sea', 58, 20],
  ['Warsaw', 'land', 52.2, 21],
  ['Sicily', 'land', 37.5, 14.2],
  ['the western Mediterranean', 'sea', 39.5, 6],
  ['the Black Sea', 'sea', 43, 34],
  ['the Caspian Sea', 'sea', 41.5, 51],
  ['Kazakhstan', 'land', 48, 68],
  ['the Sahara', 'land', 23, 10],
  ['the Gulf of Guinea', 'sea', 0.5, 0.5],
  ['the middle of the Atlantic', 'sea', 30, -40],
  ['Kansas', 'land', 38.5, -98],
  ['Hudson Bay', 'sea', 60, -86],
  ['the Amazon', 'land', -5, -63],
  ['the Drake Passage', 'sea', -58.5, -65],
  ['Greenland', 'land', 72, -40],
  ['the Arctic Ocean', 'sea', 84, -120],
  ['Chukotka, west of the antimeridian', 'land', 67.5, 178],
  ['Chukotka, east of the antimeridian', 'land', 66.6, -175],
  ['the Bering Sea', 'sea', 58, -179.5],
  ['Fiji, west of the antimeridian', 'land', -17.8, 178],
  ['the sea east of Fiji', 'sea', -18.5, -178],
  ['the middle of the Pacific', 'sea', 0, -150],
  ['the Pacific at the antimeridian, north', 'sea', 30, 179.9],
  ['the Pacific at the antimeridian, south', 'sea', -30, -179.9],
  ['Alice Springs', 'land', -23.7, 133.9],
  ['the south of New Zealand', 'land', -44.5, 170],
  ['the Southern Ocean', 'sea', -60, 100],
  ['Antarctica at 90 E', 'land', -75, 90],
  ['Antarctica at 90 W', 'land', -80, -90],
  ['Antarctica at the antimeridian', 'land', -84.5, 179.9],
  ['Antarctica beyond the antimeridian', 'land', -84.5, -179.9],
])('%s is %s at every zoom', (_place, what, lat, lon) => {
  const found = ZOOMS.map((zoom) => {
    const { tile, point } = inTile(lat, lon, zoom)
    const isLand = landOf(tile).some((polygon) => trianglesOf(polygon).some((triangle) => isInside(point, triangle)))
    return isLand ? 'land' : 'sea'
  })
  expect(found).toEqual(ZOOMS.map(() => what))
})

test('every ring of every tile stays in the tile and its buffer, and winds as the format asks', () => {
  for (const tile of TILES) {
    const rings = shapesOf(tile, 'land').flat()
    const isOutside = ({ x, y }: Point) => Math.min(x, y) < -BUFFER || Math.max(x, y) > EXTENT + BUFFER
    expect({ tile, outside: rings.flat().filter(isOutside) }).toEqual({ tile, outside: [] })
    const polygons = landOf(tile)
    for (const [outer = [], ...holes] of polygons) {
      const misplaced = holes.filter((hole) => areaOf(hole) > 0 || !hole.some((point) => isInside(point, outer)))
      expect({ tile, misplaced, isOuter: areaOf(outer) > 0 }).toEqual({ tile, misplaced: [], isOuter: true })
    }
  }
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
