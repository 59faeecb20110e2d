import { readdirSync, readFileSync } from 'node:fs'

/** The living descendants of a process, and ended ones that no process has waited for. */
export type Family = { readonly living: number; readonly zombies: number }

type Entry = { readonly pid: number; readonly parent: number; readonly state: string }

/** Reads /proc. */
export function familyOf(root: number): Family {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? entryOf(Number(name)) : []))
  const family: Entry[] = []
  const add = (parent: number) => {
    for (const child of all.filter((entry) => entry.parent === parent)) {
      family.push(child)
      add(child.pid)
    }
  }
  add(root)
  const zombies = family.filter(({ state }) => state === 'Z').length
  return { living: family.length - zombies, zombies }
}

// The name in brackets may hold any character, so fields are counted after it: state, parent. A process may have ended.
function entryOf(pid: number): Entry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [{ pid, parent: Number(parent), state }]
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
