import type { Socket } from 'node:net'
import { Connection } from 'mongodb/lib/cmap/connection.js'

/**
 * The driver's connection, with a socket that no longer keeps a writer waiting once it is closed. In mongodb up to 7.9.0 a command
 * that starts while its connection breaks never ends: its write fails, and the driver waits for the event `drain`, which a
 * closed socket never emits. After that event the driver sees that the connection is closed, and the command fails.
 */
export class ClosingConnection extends Connection {
  constructor(socket: Socket, options: object) {
    super(socket, options)
    socket.once('close', () => {
      socket.emit('drain')
      socket.on('newListener', (event) => {
        if (event === 'drain') process.nextTick(() => socket.emit('drain'))
      })
    })
  }
}
