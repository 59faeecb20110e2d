import 'maplibre-gl/dist/maplibre-gl.css'
import { Alert, Text, useComputedColorScheme } from '@mantine/core'
import { AttributionControl, Map as MapLibreMap, NavigationControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import { mapTexts } from '../texts/map.ts'
import { baseStyle } from './base-style.ts'

// Served as a file of ours: without this the worker would start from a blob, which the content policy refuses.
setWorkerUrl(new URL(workerUrl, location.href).href)

type MapCanvasProps = {
  label: string
  center: [longitude: number, latitude: number]
  zoom: number
  /** Called once the map can be drawn on, and again after its colours changed. What it returns is called before either. */
  onDraw(map: MapLibreMap): () => void
}

/** A map in the console's colours. Where the browser cannot draw one it says so, and the page works without. */
export default function MapCanvas({ label, center, zoom, onDraw }: MapCanvasProps) {
  const t = useTexts(mapTexts)
  const colors = useComputedColorScheme('light')
  const element = useRef<HTMLDivElement>(null)
  const start = useRef({ center, zoom })
  const draw = useRef(onDraw)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const container = element.current
    if (!container) return
    let closed = false
    let close: (() => void) | undefined
    const own = document.querySelector<HTMLMetaElement>('meta[name="map-style-url"]')?.content
    const open = async () => {
      const style = own || (await baseStyle(colors))
      if (closed) return
      const map = new MapLibreMap({ container, style, ...start.current, attributionControl: false, locale: t.controls })
      map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
      if (own) map.addControl(new AttributionControl({ compact: true }))
      map.dragRotate.disable()
      map.touchZoomRotate.disableRotation()
      map.getCanvas().setAttribute('aria-label', label)
      let undraw: (() => void) | undefined
      map.once('idle', () => container.setAttribute('data-drawn', 'true'))
      map.once('load', () => {
        undraw = draw.current(map)
      })
      close = () => {
        const { lng, lat } = map.getCenter()
        start.current = { center: [lng, lat], zoom: map.getZoom() }
        undraw?.()
        map.remove()
      }
    }
    open().catch(() => setFailed(true))
    return () => {
      closed = true
      close?.()
    }
  }, [colors, label, t])
  if (failed) return <Alert color="gray">{t.unavailable}</Alert>
  return (
    <div className="map-frame">
      <div ref={element} className="map" />
      <Text size="xs" c="dimmed" className="map-credit">
        {t.credit}
      </Text>
    </div>
  )
}
