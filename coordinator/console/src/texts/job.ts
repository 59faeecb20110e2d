import { inLanguages } from './language.tsx'

export const jobTexts = inLanguages({
  en: {
    progress: 'Progress',
    progressOf: (done: number, wanted: number) => `${done} of ${wanted} places`,
  },
  de: {
    progress: 'Fortschritt',
    progressOf: (done: number, wanted: number) => `${done} von ${wanted} Orten`,
  },
})
