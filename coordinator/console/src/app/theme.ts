import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const FONT =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'

/** The header of a dialog must not count as a second banner of the page. */
const NO_BANNER = { attributes: { header: { role: 'none' } } }

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9, // white text on it has a contrast of 5.6:1
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontFamily: FONT, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: NO_BANNER },
    Drawer: { defaultProps: NO_BANNER },
  },
})

/** Mantine's dimmed text has too little contrast for small type; these pass 4.5:1 on all our backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#576069',
    '--mantine-color-placeholder': '#646c75',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0b7285',
    '--mantine-color-cyan-light-color': '#0a5c6b',
    '--mantine-color-green-light-color': '#1e6b30',
    '--mantine-color-orange-light-color': '#96360a',
    '--mantine-color-yellow-light-color': '#734c00',
    '--mantine-color-red-light-color': '#a51d1d',
    '--mantine-color-blue-light-color': '#145591',
    '--console-canvas': '#f6f8fa',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b0b8',
    '--mantine-color-placeholder': '#a0a7af',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#66d9e8',
    '--console-canvas': '#1a1c1f',
  },
})
