import { inLanguages } from './language.ts'

export const mapTexts = inLanguages({
  en: {
    unavailable: 'This browser cannot draw the map (it needs WebGL 2). You can use the fields instead.',
    credit: 'Natural Earth · GeoNames (CC BY 4.0)',
    controls: { 'NavigationControl.ZoomIn': 'Zoom in', 'NavigationControl.ZoomOut': 'Zoom out', 'Map.Title': 'Map' },
    area: 'Map of the search area',
    center: 'Centre of the circle. Arrow keys move it, plus and minus change the radius.',
    edge: 'Edge of the circle. Drag it, or use the arrow keys, to change the radius.',
    corner: (nth: number) => `Corner ${nth} of the shape. Arrow keys move it, Delete removes it.`,
    places: 'Map of the places found',
    styleMissing: 'The map of this deployment cannot be loaded; this is the built-in one.',
  },
  de: {
    unavailable: 'Dieser Browser kann die Karte nicht zeichnen (WebGL 2 fehlt). Nutzen Sie stattdessen die Felder.',
    credit: 'Natural Earth · GeoNames (CC BY 4.0)',
    controls: { 'NavigationControl.ZoomIn': 'Näher', 'NavigationControl.ZoomOut': 'Weiter weg', 'Map.Title': 'Karte' },
    area: 'Karte des Suchgebiets',
    center: 'Mitte des Kreises. Pfeiltasten verschieben sie, Plus und Minus ändern den Radius.',
    edge: 'Rand des Kreises. Ziehen Sie ihn, oder nehmen Sie die Pfeiltasten, um den Radius zu ändern.',
    corner: (nth: number) => `Ecke ${nth} der Fläche. Pfeiltasten verschieben sie, Entf löscht sie.`,
    places: 'Karte der gefundenen Orte',
    styleMissing: 'Die Karte dieser Installation lässt sich nicht laden; dies ist die eingebaute.',
  },
})
