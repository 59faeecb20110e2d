import type { GeoJSONSourceSpecification, StyleSpecification } from 'maplibre-gl'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesUrl from 'world-atlas/countries-50m.json?url'
import townsUrl from '../../generated/map-towns.json?url'

type World = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>
type Town = [name: string, longitude: number, latitude: number]

const COLORS = {
  light: { sea: '#d4e6ee', land: '#f7f6f2', border: '#b5b0a4', text: '#3b4249', halo: '#ffffff' },
  dark: { sea: '#16252d', land: '#262b30', border: '#4d545b', text: '#d5dade', halo: '#15181b' },
}
export type MapColors = keyof typeof COLORS

const ATTRIBUTION = 'Natural Earth, GeoNames (CC BY 4.0)'

/** Largest first, so a larger town wins where two names do not both fit; smaller ones come in as one goes closer. */
const LARGE = 150
const MEDIUM = 1_500

let files: Promise<[World, Town[]]> | undefined

/** The map that is drawn without asking any other host: countries, their borders, the larger towns. */
export async function baseStyle(colors: MapColors): Promise<StyleSpecification> {
  files ??= Promise.all([fetchJson<World>(countriesUrl), fetchJson<Town[]>(townsUrl)])
  const [world, towns] = await files
  const { sea, land, border, text, halo } = COLORS[colors]
  return {
    version: 8,
    sources: {
      land: geoJson(feature(world, world.objects.land)),
      borders: geoJson({ type: 'Feature', properties: {}, geometry: mesh(world, world.objects.countries) }),
      towns: geoJson({ type: 'FeatureCollection', features: towns.map(townFeature) }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': border, 'line-width': 0.8 } },
      {
        id: 'towns',
        type: 'symbol',
        source: 'towns',
        filter: ['<', ['get', 'rank'], ['step', ['zoom'], LARGE, 4, MEDIUM, 7, 1e9]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['sans-serif'],
          'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 10, 14],
          'symbol-sort-key': ['get', 'rank'],
          'text-padding': 6,
        },
        paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.4 },
      },
    ],
  }
}

const geoJson = (data: GeoJSON.GeoJSON): GeoJSONSourceSpecification => ({
  type: 'geojson',
  data,
  attribution: ATTRIBUTION,
})

const townFeature = ([name, longitude, latitude]: Town, rank: number): GeoJSON.Feature => ({
  type: 'Feature',
  properties: { name, rank },
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
})

async function fetchJson<Data>(url: string): Promise<Data> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`)
  return answer.json()
}
