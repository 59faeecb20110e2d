import 'maplibre-gl/dist/maplibre-gl.css'
import { Alert, Text, useComputedColorScheme } from '@mantine/core'
import { AttributionControl, Map as MapLibreMap, type MapOptions, NavigationControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { useStaleness } from '../api/staleness.ts'
import { useTexts } from '../texts/language.ts'
import { mapTexts } from '../texts/map.ts'
import { baseStyle } from './base-style.ts'

// The worker is served as a file: by default it would start from a blob, which the content security policy forbids.
setWorkerUrl(new URL(workerUrl, location.href).href)

type MapCanvasProps = {
  label: string
  center: [longitude: number, latitude: number]
  zoom: number
  /** Called when the map is ready, and again after its colours changed. Its return value is the cleanup function. */
  onDraw(map: MapLibreMap): () => void
}

/** A map in the console's colours. Shows a message when the browser cannot draw maps; the page works without one. */
export default function MapCanvas({ label, center, zoom, onDraw }: MapCanvasProps) {
  const t = useTexts(mapTexts)
  const colors = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const element = useRef<HTMLDivElement>(null)
  const start = useRef({ center, zoom })
  const draw = useRef(onDraw)
  const [failed, setFailed] = useState(false)
  const [plain, setPlain] = useState(false)
  const incomplete = useRef<MapLibreMap>(undefined)
  const isStale = useStaleness() !== undefined
  useEffect(() => {
    if (isStale) return
    refresh(incomplete.current)
    incomplete.current = undefined
  }, [isStale])
  useEffect(() => {
    const container = element.current
    if (!container) return
    const styleUrl = document.querySelector<HTMLMetaElement>('meta[name="map-style-url"]')?.content
    const map = openMap(container, { style: styleUrl || baseStyle(colors), ...start.current, locale: t.controls })
    if (!map) return setFailed(true)
    const stopWaiting = styleUrl
      ? unlessLoaded(map, () => {
          map.setStyle(baseStyle(colors))
          setPlain(true)
        })
      : undefined
    if (styleUrl) map.addControl(new AttributionControl({ compact: true }))
    map.getCanvas().setAttribute('aria-label', label)
    map.on('error', () => {
      incomplete.current = map
    })
    let undraw: (() => void) | undefined
    map.once('idle', () => container.setAttribute('data-drawn', 'true'))
    map.once('style.load', () => {
      undraw = draw.current(map)
    })
    return () => {
      const { lng, lat } = map.getCenter()
      start.current = { center: [lng, lat], zoom: map.getZoom() }
      stopWaiting?.()
      incomplete.current = undefined
      undraw?.()
      map.remove()
    }
  }, [colors, label, t])
  if (failed) return <Alert color="gray">{t.unavailable}</Alert>
  return (
    <div className="map-frame">
      <div ref={element} className="map" />
      <Text size="xs" c="dimmed" className="map-credit">
        {plain && `${t.styleMissing} `}
        {t.credit}
      </Text>
    </div>
  )
}

/** Loads the tiles of a map again, because some could not be loaded. */
function refresh(map: MapLibreMap | undefined): void {
  for (const [id, { type }] of Object.entries(map?.getStyle().sources ?? {})) {
    if (type === 'vector' || type === 'raster') map?.refreshTiles(id)
  }
}

const STYLE_WITHIN_MS = 8_000

/** Calls `fallBack` once if the style of a map cannot be loaded, or not soon. Returns how to stop waiting for it. */
function unlessLoaded(map: MapLibreMap, fallBack: () => void): () => void {
  const stop = () => {
    clearTimeout(timer)
    map.off('error', give)
    map.off('style.load', stop)
  }
  const give = () => {
    stop()
    fallBack()
  }
  const timer = setTimeout(give, STYLE_WITHIN_MS)
  map.on('error', give)
  map.on('style.load', stop)
  return stop
}

/** Opens a map that looks north; undefined where the browser cannot draw one. */
function openMap(container: HTMLElement, options: Omit<MapOptions, 'container'>): MapLibreMap | undefined {
  try {
    const map = new MapLibreMap({ ...options, container, attributionControl: false })
    map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
    map.dragRotate.disable()
    map.touchZoomRotate.disableRotation()
    return map
  } catch {
    return undefined // without WebGL 2
  }
}
