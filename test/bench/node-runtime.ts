import { PROGRAMS } from '../../bin/programs.mjs'

/** The flags and environment variables that Node starts with. */
export type NodeRuntime = { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> }

/** Node without flags. */
export const PLAIN_NODE: NodeRuntime = { flags: [], env: {} }

/** The flags and variables of a program, as users run it. */
export function nodeRuntime(program: 'agent' | 'coordinator' | 'start'): NodeRuntime {
  const { flags, env } = PROGRAMS[program]
  return { flags, env }
}
