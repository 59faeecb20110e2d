import { inLanguages, plural } from './language.ts'

export const namedPlacesTexts = inLanguages({
  en: {
    namedPlaces: 'Links and ids',
    namedPlacesHint:
      'Of places to collect without a search. One a line: links of the map site, place ids, CIDs or data ids. Or drop a CSV file here.',
    noPlace: (text: string) => `This names no place: ${text.slice(0, 80)}`,
    placesFile: 'CSV file',
    placesFileFault: (fault: string) => `The file cannot be read: ${fault}.`,
    placesColumn: 'Column of the places',
    usualColumns: 'by its name',
    chooseColumn: 'Choose a column',
    namedCount: (places: number, jobs: number) =>
      `${plural('en', places, { one: '# place.', other: '# places.' })}${jobs > 1 ? ` They become ${jobs} jobs, which share the credit limit.` : ''}`,
    leftOut: (rows: number, lines: string) =>
      `${plural('en', rows, { one: '# row names no place and is left out', other: '# rows name no place and are left out' })}: ${lines}.`,
  },
  de: {
    namedPlaces: 'Links und IDs',
    namedPlacesHint:
      'Von Orten, die ohne Suche gesammelt werden. Einer je Zeile: Links der Kartenseite, Place-IDs, CIDs oder Data-IDs. Oder ziehen Sie eine CSV-Datei hierher.',
    noPlace: (text: string) => `Das bezeichnet keinen Ort: ${text.slice(0, 80)}`,
    placesFile: 'CSV-Datei',
    placesFileFault: (fault: string) => `Die Datei ist nicht lesbar: ${fault}.`,
    placesColumn: 'Spalte der Orte',
    usualColumns: 'nach ihrem Namen',
    chooseColumn: 'Spalte wählen',
    namedCount: (places: number, jobs: number) =>
      `${plural('de', places, { one: '# Ort.', other: '# Orte.' })}${jobs > 1 ? ` Daraus werden ${jobs} Aufträge, die sich die Grenze der Credits teilen.` : ''}`,
    leftOut: (rows: number, lines: string) =>
      `${plural('de', rows, { one: '# Zeile bezeichnet keinen Ort und fehlt', other: '# Zeilen bezeichnen keinen Ort und fehlen' })}: ${lines}.`,
  },
})
