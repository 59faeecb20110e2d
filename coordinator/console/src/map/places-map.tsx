import { type GeoJSONSource, LngLatBounds, type Map as MapLibreMap } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useTexts } from '../texts/language.tsx'
import { mapTexts } from '../texts/map.ts'
import MapCanvas from './map-canvas.tsx'

type MapPlace = { id: number; title: string; latitude?: number | undefined; longitude?: number | undefined }

type PlacesMapProps = {
  places: readonly MapPlace[]
  /** The place to highlight. */
  pointed: number | undefined
  onChoose(id: number): void
}

/**
 * A map with places as dots. A click selects a place. The table shows the same data to keyboards and screen readers.
 */
export default function PlacesMap({ places, pointed, onChoose }: PlacesMapProps) {
  const t = useTexts(mapTexts)
  const features = useMemo(() => places.flatMap(featureOf), [places])
  const shown = useRef<MapLibreMap>(undefined)
  const latest = useRef({ features, pointed, onChoose })
  const fitted = useRef(0)
  const show = useCallback(() => {
    const map = shown.current
    const { features, pointed } = latest.current
    if (!map) return
    map.getSource<GeoJSONSource>('places')?.setData({ type: 'FeatureCollection', features })
    map.setFilter('pointed', ['==', ['get', 'id'], pointed ?? -1])
    if (fitted.current === 0 && features.length > 0) fit(map, features)
    fitted.current = features.length
  }, [])
  useEffect(() => {
    latest.current = { features, pointed, onChoose }
    show()
  }, [features, pointed, onChoose, show])
  const onDraw = useCallback(
    (map: MapLibreMap) => {
      shown.current = map
      drawPlaces(map, (id) => latest.current.onChoose(id))
      show()
      return () => {
        shown.current = undefined
      }
    },
    [show],
  )
  return <MapCanvas label={t.places} center={[12, 48]} zoom={3} onDraw={onDraw} />
}

function drawPlaces(map: MapLibreMap, onChoose: (id: number) => void): void {
  map.addSource('places', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  const dot = { 'circle-stroke-width': 1.5, 'circle-stroke-color': '#ffffff' }
  map.addLayer({
    id: 'places',
    type: 'circle',
    source: 'places',
    paint: { ...dot, 'circle-radius': 6, 'circle-color': '#0b7285' },
  })
  map.addLayer({
    id: 'pointed',
    type: 'circle',
    source: 'places',
    filter: ['==', ['get', 'id'], -1],
    paint: { ...dot, 'circle-radius': 10, 'circle-color': '#e8590c' },
  })
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

function fit(map: MapLibreMap, features: readonly GeoJSON.Feature<GeoJSON.Point>[]): void {
  const bounds = new LngLatBounds()
  for (const { geometry } of features) bounds.extend([geometry.coordinates[0] ?? 0, geometry.coordinates[1] ?? 0])
  map.fitBounds(bounds, { padding: 48, maxZoom: 14, animate: false })
}
