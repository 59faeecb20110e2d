import type { Code } from '../job/job-code.ts'
import { inLanguages } from './language.ts'

const NAMES = { json: 'JSON', curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const

export const jobCodeTexts = inLanguages({
  en: {
    title: 'The same job from a program',
    format: 'Language',
    formats: { ...NAMES, cli: 'Command line' } satisfies Record<Code, string>,
    keyHint: 'Programs need an API key:',
    keys: 'Keys',
    form: 'Open in the form',
  },
  de: {
    title: 'Derselbe Auftrag aus einem Programm',
    format: 'Sprache',
    formats: { ...NAMES, cli: 'Kommandozeile' } satisfies Record<Code, string>,
    keyHint: 'Programme brauchen einen API-Schlüssel:',
    keys: 'Schlüssel',
    form: 'Im Formular öffnen',
  },
})
