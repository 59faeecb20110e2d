/** The driver's connection, which it does not export. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net'
  export class Connection {
    constructor(socket: Socket, options: object)
  }
}
