/** Receives a line for each attempt and each retry, such as `console`. Lines hold no key, header, query or body. */
export type Logger = { debug(line: string): void; warn(line: string): void }

/** Returns what the log names a request by: its method and path. */
export const nameOf = ({ method, url }: Request): string => `${method} ${new URL(url).pathname}`
