import type { StyleSpecification } from 'maplibre-gl'
import { BASE_MAP_ZOOM, LARGE_TOWNS } from './base-map-detail.ts'

const COLORS = {
  light: { sea: '#d4e6ee', land: '#f7f6f2', border: '#b5b0a4', text: '#3b4249', halo: '#ffffff' },
  dark: { sea: '#16252d', land: '#262b30', border: '#4d545b', text: '#d5dade', halo: '#15181b' },
}
type MapColors = keyof typeof COLORS

/** How many towns are named at middle zooms; all are at close ones. */
const MEDIUM_TOWNS = 1_500

/** Returns the built-in map style, which needs no other host: countries, borders and larger towns. */
export function baseStyle(colors: MapColors): StyleSpecification {
  const { sea, land, border, text, halo } = COLORS[colors]
  return {
    version: 8,
    sources: {
      base: {
        type: 'vector',
        tiles: [`${location.origin}${import.meta.env.BASE_MAP}/{z}/{x}/{y}.pbf`],
        maxzoom: BASE_MAP_ZOOM,
      },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'base', 'source-layer': 'land', paint: { 'fill-color': land } },
      {
        id: 'outlines',
        type: 'line',
        source: 'base',
        'source-layer': 'outlines',
        paint: { 'line-color': border, 'line-width': 0.8 },
      },
      {
        id: 'towns',
        type: 'symbol',
        source: 'base',
        'source-layer': 'towns',
        // If two names overlap, the larger town wins. Smaller towns appear at closer zooms.
        filter: ['<', ['get', 'rank'], ['step', ['zoom'], LARGE_TOWNS, BASE_MAP_ZOOM, MEDIUM_TOWNS, 7, 1e9]],
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
