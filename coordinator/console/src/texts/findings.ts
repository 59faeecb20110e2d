import type { Schemas } from '../api/client.ts'
import { fullTime } from '../parts/formats.ts'
import { fleetTexts } from './fleet.ts'
import { inLanguages, plural, type Texts, useTexts } from './language.ts'
import { statusTexts } from './status.ts'
import { timelineTexts } from './timeline.ts'

type Finding = Schemas['Finding']
type Values = Finding['values']
type Value = string | number | undefined

type FindingTexts = {
  checks: Readonly<Record<string, string>>
  findings: Readonly<Partial<Record<Finding['id'], (v: Values) => string>>>
}

const number = (value: Value, one: string, other: string) =>
  plural('de', Number(value), { one: `# ${one}`, other: `# ${other}` })
const agents = (value: Value) => number(value, 'Agent', 'Agenten')
const tasks = (value: Value) => number(value, 'Aufgabe', 'Aufgaben')

function lasting(value: Value): string {
  const seconds = Number(value)
  if (seconds < 120) return number(seconds, 'Sekunde', 'Sekunden')
  if (seconds < 7_200) return number(Math.floor(seconds / 60), 'Minute', 'Minuten')
  if (seconds < 172_800) return number(Math.floor(seconds / 3_600), 'Stunde', 'Stunden')
  return number(Math.floor(seconds / 86_400), 'Tag', 'Tagen')
}

/** The text of a code, or the code while no text is there. */
const word = (texts: object, code: Value): string => String(Reflect.get(texts, String(code)) ?? code)

/** What the doctor found. English has the words of the API. */
export const findingTexts: Texts<FindingTexts> = inLanguages<FindingTexts>({
  en: { checks: {}, findings: {} },
  de: {
    checks: {
      coordinator: 'Koordinator',
      agents: 'Agenten',
      addresses: 'Adressen',
      jobs: 'Aufträge',
      tasks: 'Aufgaben',
      clock: 'Uhr',
      failures: 'Fehler',
    },
    findings: {
      mongodb_works: () => 'antwortet und lässt sich beschreiben',
      mongodb_rejects_writes: ({ message }) => `antwortet, lässt sich aber nicht beschreiben: ${message}`,
      nats_works: ({ messages, listening }) =>
        `antwortet; ${number(messages, 'Nachricht', 'Nachrichten')} in der Warteschlange, ${number(listening, 'freier Slot wartet', 'freie Slots warten')} auf eine Aufgabe`,
      nats_without_stream: () =>
        'antwortet, hat aber keinen Stream für Aufgaben. Ist es die NATS_URL der Koordinatoren? Dann sagen deren Logs, warum sie den Stream nicht anlegen können; NATS_REPLICAS ist vielleicht größer als die Zahl der Server.',
      coordinators: ({ coordinators }) => `${coordinators} in Betrieb`,
      no_active_job: () => 'kein aktiver Auftrag',
      last_sweep: ({ age }) => `letzter Durchgang vor ${lasting(age)}`,
      agents: ({ connected, busy, slots }) => `${connected} verbunden, ${busy} von ${slots} Slots belegt`,
      no_agent_connected: () => 'kein Agent ist verbunden',
      jobs_wait: () => 'Aufträge warten',
      other_agents: ({ draining, silent }) => `${draining} laufen aus, ${silent} melden sich nicht`,
      addresses: ({ known, paused }) => `${known} bekannt, ${paused} in Pause`,
      address_paused: ({ address, reason, until }) =>
        `${address} macht Pause bis ${fullTime(String(until), 'de')}: ${word(fleetTexts.de.reasons, reason)}`,
      address_shared: ({ agents: count, address, known_by, names, more }) =>
        `${agents(count)} teilen ${address}${known_by ? `, ${word(fleetTexts.de.knownBy, known_by)}` : ''}: ${names}${Number(more) > 0 ? ` und ${more} weitere` : ''}`,
      chromium_unknown: () => 'kein Agent, der es sagen könnte',
      chromium_works: () => 'kein verbundener Agent meldet ein Problem',
      chromium_fails: ({ failing, connected, agent }) =>
        `startet auf ${failing} von ${connected} Agenten nicht, zum Beispiel auf ${agent}. Den Grund zeigt die Seite „Flotte“.`,
      jobs: ({ pending, running, aborting }) => `${pending} warten, ${running} laufen, ${aborting} werden abgebrochen`,
      oldest_job: ({ status, age, job_id }) =>
        `der älteste (${job_id}) ${word(statusTexts.de.states, status)} seit ${lasting(age)}`,
      tasks: ({ waiting, released, unclaimed, running }) =>
        `${waiting} warten, ${released} in der Warteschlange (${unclaimed} lange nicht genommen), ${running} laufen`,
      clocks_agree: () => 'die Uhr dieses Rechners stimmt mit der Datenbank überein',
      clock_ahead: ({ by }) => `die Uhr dieses Rechners geht der Datenbank um ${lasting(by)} vor`,
      clock_behind: ({ by }) => `die Uhr dieses Rechners geht der Datenbank um ${lasting(by)} nach`,
      no_failed_tasks: () => 'keine Aufgabe ist in der letzten Stunde gescheitert',
      failed_tasks: ({ tasks: count }) => `in der letzten Stunde gescheitert: ${tasks(count)}`,
      last_failure: ({ age }) => `die letzte vor ${lasting(age)}`,
      database_disk_full: ({ message }) => `Die Platte der Datenbank ist voll. ${message}`,
      start_mongodb: () =>
        'Ohne MongoDB geht nichts. Starten Sie es zuerst; ein Replica Set wählt ein primäres Mitglied, sobald die meisten seiner Mitglieder laufen.',
      make_mongodb_writable: () =>
        'MongoDB lässt sich nicht beschreiben, deshalb kommt kein Auftrag voran. Schaffen Sie Platz auf seiner Platte, oder machen Sie es beschreibbar.',
      late_jobs: ({ jobs }) =>
        `${number(jobs, 'Auftrag ist', 'Aufträge sind')} über max_time hinaus aktiv. Die Liste: npm run ops -- jobs list --status running.`,
      nothing_to_do: () => 'Nichts zu tun: Kein Auftrag wartet oder läuft.',
      work_in_progress: () => 'Die Arbeit läuft.',
      nats_down: () =>
        'Agenten bekommen keine neuen Aufgaben, solange NATS nicht antwortet. Kein Auftrag geht verloren: Die Arbeit geht weiter, sobald NATS antwortet.',
      start_coordinator: () =>
        'Kein Koordinator läuft. Starten Sie einen mit der Adresse dieser MongoDB und dieses NATS.',
      agents_drain: ({ agents: count }) =>
        `${number(count, 'Agent läuft', 'Agenten laufen')} aus. Lassen Sie einen weitermachen (npm run ops -- agents resume NAME), oder starten Sie einen anderen.`,
      agents_silent: ({ agents: count }) =>
        `${number(count, 'Agent meldet', 'Agenten melden')} sich nicht: angehalten, oder ohne Verbindung zu den Koordinatoren?`,
      start_agent: () =>
        'Kein Agent ist verbunden. Starten Sie einen mit COORDINATOR_GRPC, NATS_URL und AGENT_TOKEN der Koordinatoren.',
      slots_busy: ({ slots }) =>
        `Alle ${slots} Slots sind belegt, die übrigen Aufgaben warten. Mit mehr Agenten geht es schneller.`,
      proxy_agents_absent: ({ agents: names, tasks: count }) =>
        `Kein Agent aus PROXY_AGENTS (${names}) ist verbunden, deshalb ${Number(count) === 1 ? 'kann' : 'können'} ${tasks(count)} mit Proxys nicht beginnen. Starten Sie einen, oder ändern Sie PROXY_AGENTS.`,
      agents_listen_elsewhere: ({ tasks: count }) =>
        `Kein Agent nimmt ${tasks(count)} aus der Warteschlange, obwohl Slots frei sind: Kein Agent hört auf dieses NATS. Haben Agenten und Koordinatoren dieselbe NATS_URL?`,
      claims_fail: ({ tasks: count }) =>
        `Kein Agent nimmt ${tasks(count)} aus der Warteschlange, obwohl Slots frei sind: Erreichen die Agenten die Koordinatoren unter COORDINATOR_GRPC? Ihre Logs sagen, warum es scheitert.`,
      map_site_refuses: ({ tasks: count }) =>
        `Die Kartenseite weist vorerst ab: ${tasks(count)}. Es geht nach der Pause einer Adresse weiter, mit anderen Proxys sofort.`,
      own_addresses_paused: () =>
        'Alle eigenen Adressen der Agenten machen Pause. Aufträge ohne Proxys warten so lange; Agenten an anderen Adressen oder Proxys arbeiten weiter.',
      private_addresses_count_as_one: () =>
        'Alle privaten Adressen von Agenten zählen als eine und teilen sich deren Grenze. Erreichen sie die Kartenseite von verschiedenen öffentlichen Adressen, geben Sie jedem seinen EXIT_NAME.',
      chromium_missing: ({ agents: count }) =>
        `Chromium startet auf ${count} Agenten nicht. Aufträge, die es brauchen, scheitern, oder Orten fehlen Angaben.`,
      tasks_failed: ({ tasks: count, agent, reason }) =>
        `In der letzten Stunde gescheitert: ${tasks(count)}, zuletzt${agent ? ` auf dem Agenten ${agent}` : ''}: ${word(timelineTexts.de.verdicts, reason)}.`,
      set_clocks: () =>
        'Lassen Sie die Uhren dieses Rechners und der MongoDB von NTP stellen: Gezeigte Zeiten und geprüfte Fristen sind jetzt falsch.',
    } satisfies Record<Finding['id'], (v: Values) => string>,
  },
})

/** Says findings in the language that is chosen; undefined in English, which the API speaks. */
export function useFindings() {
  const { findings: texts } = useTexts(findingTexts)
  return (findings: readonly Schemas['Finding'][]): string[] | undefined => {
    const words = findings.flatMap(({ id, values }) => texts[id]?.(values) ?? [])
    return words.length === findings.length ? words : undefined
  }
}
