import { metresBetween } from '@placefleet/shared/great-circle'
import { type GeoJSONSource, type Map as MapLibreMap, Marker } from 'maplibre-gl'
import { useCallback, useEffect, useRef } from 'react'
import { useTexts } from '../texts/language.ts'
import { mapTexts } from '../texts/map.ts'
import { type Circle, outline, pointAt, wrapped } from './circle.ts'
import MapCanvas from './map-canvas.tsx'
import { drawShape, type ShapeProps, viewOf } from './shape.ts'

const MAX_RADIUS = 50_000
const COLOR = '#0c8599'

/** The centre of the map while no circle is set. */
const EUROPE = { center: [12, 48] as [number, number], zoom: 3.2 }

type AreaMapProps = ShapeProps & { circle: Circle | undefined; onChange(circle: Circle): void }

/**
 * A map with a circle or a shape. Dragging the centre or edge of the circle, or the arrow keys, move and resize it; a
 * click sets the centre. With `corners` a click adds one.
 */
export default function AreaMap({ circle, onChange, ...shape }: AreaMapProps) {
  const t = useTexts(mapTexts)
  const shown = useRef<{ show(): void }>(undefined)
  const latest = useRef({ circle, onChange, t, ...shape })
  useEffect(() => {
    latest.current = { circle, onChange, t, ...shape }
    shown.current?.show()
  })
  const onDraw = useCallback((map: MapLibreMap) => {
    const drawings = [
      drawCircle(map, () => latest.current),
      drawShape(
        map,
        () => latest.current,
        (nth) => latest.current.t.corner(nth),
      ),
    ]
    const show = () => {
      for (const drawing of drawings) drawing.show()
    }
    shown.current = { show }
    show()
    return () => {
      shown.current = undefined
      for (const drawing of drawings) drawing.remove()
    }
  }, [])
  const aroundCircle = circle && { center: [circle.lon, circle.lat] as [number, number], zoom: zoomFor(circle) }
  const start = viewOf(shape.area) ?? aroundCircle ?? EUROPE
  return <MapCanvas label={t.area} {...start} onDraw={onDraw} />
}

type Latest = Omit<AreaMapProps, 'area' | 'onCorners'> & { t: { center: string; edge: string } }

/** Draws the circle with its two handles, and updates it when the form changes. */
function drawCircle(map: MapLibreMap, latest: () => Latest) {
  map.addSource('circle', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addLayer({ id: 'circle', type: 'fill', source: 'circle', paint: { 'fill-color': COLOR, 'fill-opacity': 0.18 } })
  map.addLayer({ id: 'circle-edge', type: 'line', source: 'circle', paint: { 'line-color': COLOR, 'line-width': 2 } })
  const change = (circle: Circle) => latest().onChange(tidy(circle))
  const center = handle('map-center', latest().t.center, (key) => {
    const { circle } = latest()
    if (circle) change(moved(circle, key))
  })
  const edge = handle('map-edge', latest().t.edge, (key) => {
    const { circle } = latest()
    if (circle) change({ ...circle, radius: circle.radius + (GROWS.includes(key) ? step(circle) : -step(circle)) })
  })
  center.on('drag', () => {
    const { lng: lon, lat } = center.getLngLat()
    change({ lat, lon, radius: latest().circle?.radius ?? 0 })
  })
  edge.on('drag', () => {
    const { circle } = latest()
    const { lng, lat } = edge.getLngLat()
    if (circle) change({ ...circle, radius: metres(circle, { lat, lon: lng }) })
  })
  map.on('click', ({ lngLat: { lng: lon, lat } }) => {
    const { corners, circle } = latest()
    if (!corners) change({ lat, lon, radius: circle?.radius ?? 5_000 })
  })
  let seen: Circle | undefined
  const show = () => {
    const { circle } = latest()
    const source = map.getSource<GeoJSONSource>('circle')
    source?.setData({ type: 'FeatureCollection', features: circle ? [outline(circle)] : [] })
    if (!circle) {
      for (const marker of [center, edge]) marker.remove()
      seen = undefined
      return
    }
    center.setLngLat([circle.lon, circle.lat])
    const east = pointAt(circle, circle.radius, 90)
    edge.setLngLat([east.lon, east.lat])
    if (!seen) for (const marker of [center, edge]) marker.addTo(map) // only once, because a handle would lose the focus
    if (!seen || !map.getBounds().contains([circle.lon, circle.lat])) {
      map.jumpTo({ center: [circle.lon, circle.lat], zoom: zoomFor(circle) })
    }
    seen = circle
  }
  const remove = () => {
    for (const marker of [center, edge]) marker.remove()
  }
  return { show, remove }
}

const GROWS = ['ArrowRight', 'ArrowUp', '+']
const MOVES: Record<string, number> = { ArrowUp: 0, ArrowRight: 90, ArrowDown: 180, ArrowLeft: 270 }

/** Returns a handle that can be dragged, or moved with keys while it has the focus. */
function handle(className: string, label: string, onKey: (key: string) => void): Marker {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = className
  element.setAttribute('aria-label', label)
  element.addEventListener('keydown', (event) => {
    if (!(event.key in MOVES) && !['+', '-'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    onKey(event.key)
    element.focus()
  })
  return new Marker({ element, draggable: true })
}

function moved(circle: Circle, key: string): Circle {
  const direction = MOVES[key]
  if (direction === undefined)
    return { ...circle, radius: circle.radius + (key === '+' ? step(circle) : -step(circle)) }
  return { ...pointAt(circle, Math.max(50, circle.radius / 10), direction), radius: circle.radius }
}

/** Returns the step by which one key changes the radius, in metres: a round number. */
const step = ({ radius }: Circle): number => (radius < 1_000 ? 50 : radius < 10_000 ? 250 : 1_000)

const metres = (one: { lat: number; lon: number }, other: { lat: number; lon: number }): number =>
  metresBetween({ latitude: one.lat, longitude: one.lon }, { latitude: other.lat, longitude: other.lon })

/** Rounds a circle for the API: five decimals are a metre, and the radius is in whole metres up to 50 km. */
const tidy = ({ lat, lon, radius }: Circle): Circle => ({
  lat: Math.round(lat * 1e5) / 1e5,
  lon: Math.round(wrapped(lon) * 1e5) / 1e5,
  radius: Math.min(MAX_RADIUS, Math.max(50, Math.round(radius))),
})

/** Returns the zoom at which the circle fills about half of the map. */
const zoomFor = ({ radius, lat }: Circle): number =>
  Math.min(15, Math.max(2, Math.log2((40_075_016 * Math.cos((lat * Math.PI) / 180)) / (Math.max(radius, 500) * 5.5))))
