import { reasonOf } from './command-line.ts'

/** Something that listens: what it is, where, and the settings that say where. */
export type Listener = { what: string; host: string; port: number; hostSetting?: string; portSetting: string }

/**
 * Waits until something listens.
 * @throws Error that names the setting to change when its host or port cannot be had; other failures as they are.
 */
export async function listening<Result>(listener: Listener, start: PromiseLike<Result>): Promise<Result> {
  try {
    return await start
  } catch (cause) {
    const fault = isOfSystem(cause) ? whyNot(listener, cause) : undefined
    throw fault === undefined ? cause : new Error(fault, { cause })
  }
}

type SystemError = Error & { code: string; syscall: string }

const isOfSystem = (error: unknown): error is SystemError =>
  error instanceof Error &&
  'syscall' in error &&
  typeof error.syscall === 'string' &&
  'code' in error &&
  typeof error.code === 'string'

function whyNot(listener: Listener, error: SystemError): string | undefined {
  const { what, host, port, hostSetting = 'HOST', portSetting } = listener
  if (!['listen', 'bind', 'getaddrinfo'].includes(error.syscall)) return undefined
  const cannot = `${what} cannot listen on port ${port} of ${host}`
  if (error.code === 'EADDRINUSE')
    return `${cannot}: it is in use. Stop what listens there, or set ${portSetting} to another port.`
  if (error.code === 'EACCES') return `${cannot}: this user may not. Set ${portSetting} to a port above 1023.`
  return `${cannot}: ${reasonOf(error)}. Set ${hostSetting} to an address of this machine.`
}
