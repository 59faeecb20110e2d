import { readFile } from 'node:fs/promises'
import type { SystemFacts } from './chromium-problem.ts'

/** Reads what decides whether Chromium's sandbox works here. All undefined on other systems than Linux. */
export async function systemFacts(): Promise<SystemFacts> {
  const [maxUserNamespaces, unprivilegedUserns, apparmorRestricts, seccomp] = await Promise.all([
    numberIn('/proc/sys/user/max_user_namespaces'),
    numberIn('/proc/sys/kernel/unprivileged_userns_clone'),
    numberIn('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    numberIn('/proc/self/status', /^Seccomp:\s*(\d+)$/m),
  ])
  return { maxUserNamespaces, unprivilegedUserns, apparmorRestricts, seccomp }
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** Returns the number in a file; undefined when this kernel does not have the file. */
async function numberIn(path: string, pattern = /^(\d+)/): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const digits = text === undefined ? undefined : pattern.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
