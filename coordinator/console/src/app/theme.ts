import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const FONT =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontFamily: FONT, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** Mantine's dimmed text has too little contrast for small type; these pass 4.5:1 on all our backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#576069',
    '--mantine-color-placeholder': '#646c75',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0b7285',
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
