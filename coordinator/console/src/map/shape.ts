import type { Geometry } from '@placefleet/shared/area/geometry'
import { polygonArea } from '@placefleet/shared/area/polygon'
import { centre } from '@placefleet/shared/cell'
import { type GeoJSONSource, type Map as MapLibreMap, Marker } from 'maplibre-gl'
import type { Corner } from '../new-job/draft.ts'

const COLOR = '#0c8599'

export type ShapeProps = {
  area: Geometry | undefined
  /** The corners of the shape that is drawn or edited. A shape with fewer than three is no area yet. */
  corners: readonly Corner[] | undefined
  onCorners(corners: Corner[]): void
}

/**
 * Draws the shape, with a handle at each corner. A click adds a corner; dragging, arrow keys and Delete change one.
 * @param labelOf the name of a handle for screen readers
 */
export function drawShape(map: MapLibreMap, latest: () => ShapeProps, labelOf: (nth: number) => string) {
  map.addSource('shape', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addLayer({ id: 'shape', type: 'fill', source: 'shape', paint: { 'fill-color': COLOR, 'fill-opacity': 0.18 } })
  map.addLayer({ id: 'shape-edge', type: 'line', source: 'shape', paint: { 'line-color': COLOR, 'line-width': 2 } })
  const handles: Marker[] = []
  const change = (nth: number, corner?: Corner) => {
    const { corners = [], onCorners } = latest()
    onCorners(corners.flatMap((old, index) => (index === nth ? (corner ? [tidy(corner)] : []) : [old])))
  }
  map.on('click', ({ lngLat: { lng, lat } }) => {
    const { corners, onCorners } = latest()
    if (corners) onCorners([...corners, tidy([lng, lat])])
  })
  /** Returns whether the key does something. */
  const press = (nth: number, key: string): boolean => {
    const [move, corner] = [MOVES[key], latest().corners?.[nth]]
    if (!corner || (!move && !['Delete', 'Backspace'].includes(key))) return false
    const { x, y } = map.project([...corner])
    const moved = move && map.unproject([x + STEP * move[0], y - STEP * move[1]])
    change(nth, moved && [moved.lng, moved.lat])
    return true
  }
  const addHandle = (nth: number, [lon, lat]: Corner) => {
    const element = buttonFor(labelOf(nth + 1), (key) => press(nth, key))
    const marker = new Marker({ element, draggable: true })
    marker.on('drag', () => change(nth, [marker.getLngLat().lng, marker.getLngLat().lat]))
    handles.push(marker.setLngLat([lon, lat]).addTo(map))
  }
  let seen: Geometry | undefined
  const show = () => {
    const { area, corners = [] } = latest()
    const line = { type: 'LineString' as const, coordinates: corners.map((corner) => [...corner]) }
    const geometry = area ?? (corners.length > 1 ? line : undefined)
    const features = geometry ? [{ type: 'Feature' as const, properties: {}, geometry }] : []
    map.getSource<GeoJSONSource>('shape')?.setData({ type: 'FeatureCollection', features })
    const wasDrawn = handles.length > 0
    for (const marker of handles.splice(corners.length)) marker.remove()
    for (const [nth, corner] of corners.entries()) {
      if (handles[nth]) handles[nth].setLngLat([...corner])
      else addHandle(nth, corner)
    }
    const view = area && !seen && !wasDrawn ? viewOf(area) : undefined
    if (view) map.jumpTo(view)
    seen = area
  }
  const remove = () => {
    for (const marker of handles) marker.remove()
  }
  return { show, remove }
}

const MOVES: Record<string, Corner> = {
  ArrowUp: [0, 1],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
}

/** Pixels by which one key moves a corner. */
const STEP = 10

function buttonFor(label: string, onKey: (key: string) => boolean): HTMLElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'map-corner'
  element.setAttribute('aria-label', label)
  element.addEventListener('click', (event) => event.stopPropagation()) // it adds no corner
  element.addEventListener('keydown', (event) => {
    if (!onKey(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  })
  return element
}

/** Five decimals are a metre. */
const tidy = ([lon, lat]: Corner): Corner => [Math.round(lon * 1e5) / 1e5, Math.round(lat * 1e5) / 1e5]

/** Returns the view that shows a whole shape. */
export function viewOf(area: Geometry | undefined): { center: [number, number]; zoom: number } | undefined {
  if (!area) return undefined
  const { bounds } = polygonArea(area)
  const { latitude, longitude } = centre(bounds)
  const zoom = Math.min(15, Math.max(0, Math.log2(270 / (bounds.east - bounds.west))))
  return { center: [longitude, latitude], zoom }
}
