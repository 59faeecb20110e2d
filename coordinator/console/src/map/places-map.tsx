import { type ExpressionSpecification, type GeoJSONSource, LngLatBounds, type Map as MapLibreMap } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useTexts } from '../texts/language.ts'
import { mapTexts } from '../texts/map.ts'
import MapCanvas from './map-canvas.tsx'

type MapPlace = { id: number; title: string; latitude?: number | undefined; longitude?: number | undefined }

type PlacesMapProps = {
  places: readonly MapPlace[]
  /** The searched parts of the area, which lie under the places. */
  parts: GeoJSON.FeatureCollection | undefined
  /** The area in which the places were searched. */
  area?: GeoJSON.Feature | undefined
  /** The place to highlight. */
  pointed?: number | undefined
  onChoose?(id: number): void
}

/**
 * A map with places as dots. It shows all of them until its user moves it. A click selects a place. The table shows the
 * same data to keyboards and screen readers.
 */
export default function PlacesMap({ places, parts = NO_PARTS, area, pointed, onChoose }: PlacesMapProps) {
  const t = useTexts(mapTexts)
  const features = useMemo(() => places.flatMap(featureOf), [places])
  const shown = useRef<MapLibreMap>(undefined)
  const latest = useRef({ features, parts, area, pointed, onChoose })
  const movedByUser = useRef(false)
  const show = useCallback(() => {
    const map = shown.current
    const { features, parts, area, pointed } = latest.current
    if (!map) return
    map.getSource<GeoJSONSource>('places')?.setData({ type: 'FeatureCollection', features })
    map.getSource<GeoJSONSource>('parts')?.setData(parts)
    map.getSource<GeoJSONSource>('area')?.setData({ type: 'FeatureCollection', features: area ? [area] : [] })
    map.setFilter('pointed', ['==', ['get', 'id'], pointed ?? -1])
    const drawn = features.length > 0 ? features : parts.features
    if (drawn.length > 0 && !movedByUser.current) fit(map, drawn)
  }, [])
  useEffect(() => {
    latest.current = { features, parts, area, pointed, onChoose }
    show()
  }, [features, parts, area, pointed, onChoose, show])
  const onDraw = useCallback(
    (map: MapLibreMap) => {
      shown.current = map
      // Only what a user does has an original event.
      map.on('movestart', ({ originalEvent }) => {
        if (originalEvent) movedByUser.current = true
      })
      drawParts(map)
      drawArea(map)
      drawPlaces(map, (id) => latest.current.onChoose?.(id))
      show()
      return () => {
        shown.current = undefined
      }
    },
    [show],
  )
  return <MapCanvas label={t.places} center={[12, 48]} zoom={3} onDraw={onDraw} />
}

const NO_PARTS: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }

/** The colours of the parts of an area by how they were searched. */
const PART_COLORS = { searched: '#0c8599', cut: '#e8590c', blocked: '#c92a2a', unsearched: '#868e96' } as const

function drawParts(map: MapLibreMap): void {
  const { searched, cut, blocked, unsearched } = PART_COLORS
  const color: ExpressionSpecification = [
    'match',
    ['get', 'state'],
    'searched',
    searched,
    'cut',
    cut,
    'blocked',
    blocked,
    unsearched,
  ]
  map.addSource('parts', { type: 'geojson', data: NO_PARTS })
  map.addLayer({ id: 'parts', type: 'fill', source: 'parts', paint: { 'fill-color': color, 'fill-opacity': 0.15 } })
  map.addLayer({ id: 'part-edges', type: 'line', source: 'parts', paint: { 'line-color': color, 'line-width': 1 } })
}

function drawArea(map: MapLibreMap): void {
  const paint = { 'line-color': '#0b7285', 'line-width': 1.5, 'line-dasharray': [3, 2] }
  map.addSource('area', { type: 'geojson', data: NO_PARTS })
  map.addLayer({ id: 'area', type: 'line', source: 'area', paint })
}

/** Draws the places below the names of towns, so that no dot covers a name. */
function drawPlaces(map: MapLibreMap, onChoose: (id: number) => void): void {
  const names = map.getLayersOrder().find((id) => map.getLayer(id)?.type === 'symbol')
  map.addSource('places', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  const dot = { 'circle-stroke-width': 1.5, 'circle-stroke-color': '#ffffff' }
  map.addLayer(
    {
      id: 'places',
      type: 'circle',
      source: 'places',
      paint: { ...dot, 'circle-radius': 6, 'circle-color': '#0b7285' },
    },
    names,
  )
  map.addLayer(
    {
      id: 'pointed',
      type: 'circle',
      source: 'places',
      filter: ['==', ['get', 'id'], -1],
      paint: { ...dot, 'circle-radius': 10, 'circle-color': '#e8590c' },
    },
    names,
  )
  map.on('click', 'places', ({ features }) => {
    const id: unknown = features?.[0]?.properties.id
    if (typeof id === 'number') onChoose(id)
  })
  map.on('mouseenter', 'places', () => map.getCanvas().style.setProperty('cursor', 'pointer'))
  map.on('mouseleave', 'places', () => map.getCanvas().style.removeProperty('cursor'))
}

function featureOf({ id, latitude, longitude }: MapPlace): GeoJSON.Feature<GeoJSON.Point>[] {
  if (latitude === undefined || longitude === undefined) return []
  return [{ type: 'Feature', properties: { id }, geometry: { type: 'Point', coordinates: [longitude, latitude] } }]
}

function fit(map: MapLibreMap, features: readonly GeoJSON.Feature[]): void {
  const bounds = new LngLatBounds()
  for (const { geometry } of features) for (const point of pointsOf(geometry)) bounds.extend(point)
  map.fitBounds(bounds, { padding: 48, maxZoom: 14, animate: false })
}

/** Returns the positions of a place or of the outline of a part. */
function pointsOf(geometry: GeoJSON.Geometry): [number, number][] {
  const positions =
    geometry.type === 'Point' ? [geometry.coordinates] : geometry.type === 'Polygon' ? geometry.coordinates.flat() : []
  return positions.map(([longitude = 0, latitude = 0]) => [longitude, latitude])
}
