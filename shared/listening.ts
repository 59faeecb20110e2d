import { reasonOf } from './command-line.ts'

/** A server that is about to listen, and the settings that name its address. */
export type Listener = { what: string; host: string; port: number; hostSetting?: string; portSetting: string }

/**
 * Waits until a server listens.
 * @throws Error that names the setting to change when the host or port is not available; other errors unchanged.
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
    return `${cannot}: the port is in use. Stop the program that uses it, or set ${portSetting} to another port.`
  if (error.code === 'EACCES') return `${cannot}: this user has no permission. Set ${portSetting} to a port above 1023.`
  return `${cannot}: ${reasonOf(error)}. Set ${hostSetting} to an address of this machine.`
}
