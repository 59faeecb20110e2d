export const SITE_LANGUAGES = ['en', 'de'] as const
export type SiteLanguage = (typeof SITE_LANGUAGES)[number]

/** Every text of the site that depends on `hl`. Times are minutes after midnight. */
export type Words = ReturnType<typeof createWords>
export type AboutWord = keyof Words['about']
export type PhotoTab = keyof Words['photoTabs']

function createWords(language: SiteLanguage) {
  const say = <Text>(english: Text, german: Text): Text => (language === 'de' ? german : english)
  const ages = new Intl.RelativeTimeFormat(language)
  return {
    weekdays: say(
      ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
      ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
    ),
    weekdaysShort: say(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']),
    time: say(clock12, clock24),
    range: say(range12, (open, close) => `${clock24(open)}–${clock24(close)}`),
    closed: say('Closed', 'Geschlossen'),
    open: say('Open', 'Geöffnet'),
    openNow: say('Open now', 'Jetzt geöffnet'),
    open24: say('Open 24 hours', '24 Stunden geöffnet'),
    closesAt: say(
      (time: string) => `Closes ${time}`,
      (time) => `Schließt um ${time}`,
    ),
    opensAt: say(
      (time: string, weekday: string) => `Opens ${time} ${weekday}`.trimEnd(),
      (time, weekday) => (weekday ? `Öffnet ${weekday} um ${time}` : `Öffnet um ${time}`),
    ),
    permanently: say('Permanently closed', 'Dauerhaft geschlossen'),
    temporarily: say('Temporarily closed', 'Vorübergehend geschlossen'),
    category: {
      restaurant: 'Restaurant',
      cafe: say('Cafe', 'Café'),
      coffee_shop: say('Coffee shop', 'Kaffeehaus'),
      bakery: say('Bakery', 'Bäckerei'),
      bar: 'Bar',
      hotel: 'Hotel',
      dentist: say('Dentist', 'Zahnarzt'),
      plumber: say('Plumber', 'Klempner'),
      hairdresser: say('Hairdresser', 'Friseur'),
      lawyer: say('Lawyer', 'Rechtsanwalt'),
      gym: say('Gym', 'Fitnessstudio'),
      florist: say('Florist', 'Blumenladen'),
    },
    secondCategory: say('Meeting place', 'Treffpunkt'),
    country: say('Germany', 'Deutschland'),
    owner: say('Owner', 'Inhaber'),
    about: {
      service_options: say('Service options', 'Serviceoptionen'),
      accessibility: say('Accessibility', 'Barrierefreiheit'),
      amenities: say('Amenities', 'Ausstattung'),
      payments: say('Payments', 'Zahlungsmethoden'),
      outdoor_seating: say('Outdoor seating', 'Sitzplätze im Freien'),
      delivery: say('Delivery', 'Lieferdienst'),
      dine_in: say('Dine-in', 'Speisen vor Ort'),
      wheelchair_entrance: say('Wheelchair accessible entrance', 'Rollstuhlgerechter Eingang'),
      no_wheelchair_entrance: say('No wheelchair accessible entrance', 'Kein rollstuhlgerechter Eingang'),
      wifi: say('Wi-Fi', 'WLAN'),
      free_wifi: say('Free Wi-Fi', 'Kostenloses WLAN'),
      toilets: say('Restroom', 'WC'),
      credit_cards: say('Credit cards', 'Kreditkarten'),
      debit_cards: say('Debit cards', 'Debitkarten'),
    },
    photoTabs: {
      all: say('All', 'Alle'),
      latest: say('Latest', 'Neueste'),
      videos: 'Videos',
      menu: say('Menu', 'Speisekarte'),
      food: say('Food & drink', 'Speisen & Getränke'),
      owner: say('By owner', 'Vom Inhaber'),
      street_view: 'Street View & 360°',
    },
    reviewCount: (count: number) =>
      `${count.toLocaleString(language)} ${count === 1 ? say('review', 'Rezension') : say('reviews', 'Rezensionen')}`,
    ago: (count: number, unit: 'day' | 'week' | 'month' | 'year') => ages.format(-count, unit),
    edited: say('Edited ', 'Bearbeitet: '),
    ownerText: say(
      (title: string) => `Welcome to ${title}.\nWe look forward to your visit.`,
      (title) => `Willkommen bei ${title}.\nWir freuen uns auf Ihren Besuch.`,
    ),
    editorial: say(
      'Relaxed neighborhood spot known for friendly service.',
      'Entspannter Treffpunkt im Kiez mit freundlichem Service.',
    ),
    praise: [
      say('Very good work, I will come again.', 'Sehr gute Arbeit, ich komme wieder.'),
      say('A bit expensive, but worth every cent.', 'Etwas teuer, aber jeden Cent wert.'),
      say(
        'We waited far too long.\nNobody apologised.',
        'Wir haben zu lange gewartet.\nNiemand hat sich entschuldigt.',
      ),
      say('Simply perfect 👏👏', 'Einfach perfekt 👏👏'),
      say('Friendly staff & good value for money.', 'Freundliches Personal & gutes Preis-Leistungs-Verhältnis.'),
      say('Not bad, not great. "Average" is the word.', 'Nicht schlecht, nicht toll. „Durchschnitt“ trifft es.'),
    ],
    thanks: say('Thank you very much for your feedback!', 'Vielen Dank für Ihre Rückmeldung!'),
    services: say(['Consultation', 'Check-up', 'Weekend service'], ['Beratung', 'Untersuchung', 'Wochenenddienst']),
    servicesHeading: say('Services', 'Leistungen'),
    serviceDescription: say('Half an hour, with advice.', 'Eine halbe Stunde, mit Rat.'),
    from: say('From', 'Ab'),
    dishes: say(['Soup of the day', 'Apple cake', 'Green salad'], ['Tagessuppe', 'Apfelkuchen', 'Grüner Salat']),
    stay: say(
      (minutes: number) => `People typically spend ${minutes} min here`,
      (minutes) => `Besucher verbringen hier in der Regel ${minutes} min`,
    ),
    posts: say(
      ['New opening hours from Monday.', 'We look for helpers.', 'Thank you for a wonderful year!'],
      ['Neue Öffnungszeiten ab Montag.', 'Wir suchen Helfer.', 'Danke für ein wunderbares Jahr!'],
    ),
    questions: say(['Is there parking?', 'Do you speak English?'], ['Gibt es Parkplätze?', 'Sprechen Sie Englisch?']),
    answers: say(['Yes, behind the house.', 'Only on weekdays.'], ['Ja, hinter dem Haus.', 'Nur an Werktagen.']),
    topics: say(['service', 'price', 'location'], ['Service', 'Preis', 'Lage']),
    alsoSearched: say('People also search for', 'Wird auch oft gesucht'),
    languageNames: say({ en: 'English', de: 'German' }, { en: 'Englisch', de: 'Deutsch' }),
    page: {
      resultsFor: say('Results for', 'Ergebnisse für'),
      stars: say('stars', 'Sterne'),
      reviews: say('reviews', 'Rezensionen'),
      endOfList: say("You've reached the end of the list.", 'Sie haben das Ende der Liste erreicht.'),
      notFound: say("Google Maps can't find", 'Google Maps kann nicht finden:'),
      limited: say(
        "You're seeing a limited view of Google Maps.",
        'Sie sehen eine eingeschränkte Ansicht von Google Maps.',
      ),
      learnMore: say('Learn more about limited view', 'Weitere Informationen zur eingeschränkten Ansicht'),
      website: 'Website',
      directions: say('Directions', 'Routenplaner'),
      sponsored: say('Sponsored', 'Gesponsert'),
      address: say('Address', 'Adresse'),
      phone: say('Phone', 'Telefon'),
      plusCode: say('Plus code', 'Plus Code'),
      menu: say('Menu', 'Speisekarte'),
      reserve: say('Reserve a table', 'Tisch reservieren'),
      overview: say('Overview', 'Übersicht'),
      about: say('About', 'Info'),
      moreReviews: say('More reviews', 'Weitere Rezensionen'),
      sort: say('Sort', 'Sortieren'),
      mostRelevant: say('Most relevant', 'Relevanteste'),
      newest: say('Newest', 'Neueste'),
      highest: say('Highest rating', 'Höchste Bewertung'),
      lowest: say('Lowest rating', 'Niedrigste Bewertung'),
      seePhotos: say('See photos', 'Fotos ansehen'),
      rejectAll: say('Reject all', 'Alle ablehnen'),
      acceptAll: say('Accept all', 'Alle akzeptieren'),
      beforeYouContinue: say('Before you continue to Google', 'Bevor Sie zu Google weitergehen'),
    },
  }
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Formats a time like "17:30". */
const clock24 = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

const half = (minutes: number) => (minutes < 720 ? 'am' : 'pm')
const bare12 = (minutes: number) => {
  const hour = Math.floor(minutes / 60) % 12 || 12
  return minutes % 60 === 0 ? `${hour}` : `${hour}:${twoDigits(minutes % 60)}`
}

/** Formats a time like "5:30 pm", or "5 pm" on the hour, with the narrow no-break space of the site since 2023. */
const clock12 = (minutes: number) => `${bare12(minutes)}\u202f${half(minutes)}`

/** Formats an opening like "12:30–10 pm". The first time has am or pm only if the second one has the other. */
const range12 = (open: number, close: number) =>
  `${half(open) === half(close) && close > open ? bare12(open) : clock12(open)}–${clock12(close)}`

const WORDS = { en: createWords('en'), de: createWords('de') }

export const wordsOf = (language: SiteLanguage): Words => WORDS[language]

/** Returns the language of the answer for an `hl` such as "de", "en-US" or "ja". Unsupported languages get English. */
export function siteLanguage(hl: string): SiteLanguage {
  const language = hl.slice(0, 2).toLowerCase()
  return SITE_LANGUAGES.find((code) => code === language) ?? 'en'
}
