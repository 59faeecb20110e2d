import { globSync } from 'node:fs'
import { basename } from 'node:path'

/** What npm and the programs write into a checkout. */
const WRITTEN = new Set(['node_modules', 'dist', 'data', '.cache', '.git'])

/**
 * The files of a checkout that match patterns, relative to `folder` and in order. A checkout may come as an archive, on
 * a machine without git, so the files are those that lie there.
 */
export const sourceFiles = (folder: string, patterns: string[]): string[] =>
  globSync(patterns, { cwd: folder, exclude: (path) => WRITTEN.has(basename(path)) }).toSorted()
