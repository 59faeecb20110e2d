import manifest from '../../package.json' with { type: 'json' }

/** The flags that users run a part under: those of its script in the package's manifest. */
export function nodeFlags(script: 'agent' | 'coordinator'): string[] {
  return manifest.scripts[script].split(' ').filter((word) => word.startsWith('--'))
}
