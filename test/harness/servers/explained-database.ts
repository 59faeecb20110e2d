import { randomUUID } from 'node:crypto'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, inject } from 'vitest'

const READERS = ['find', 'aggregate', 'distinct', 'count', 'update', 'delete', 'findAndModify']

/** Returns a new, empty database of a test file that tells how it runs the commands of some work. */
export async function explainedDatabase() {
  const client = await new MongoClient(inject('mongoUrl'), { monitorCommands: true, ignoreUndefined: true }).connect()
  const db = client.db(`test_${randomUUID().slice(0, 8)}`)
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /** Returns the commands that `work` sends to the database. */
  const commandsOf = async (work: () => Promise<unknown>): Promise<Document[]> => {
    const sent: Document[] = []
    const onSent = ({ command, commandName }: { command: Document; commandName: string }) => {
      if (READERS.includes(commandName)) sent.push(command)
    }
    client.on('commandStarted', onSent)
    await work()
    client.off('commandStarted', onSent)
    return sent
  }

  /** How the database runs a command. */
  const planOf = async (command: Document, verbosity = 'queryPlanner'): Promise<string> => {
    const { lsid: _, $db: __, writeConcern: ___, ...explained } = command
    return JSON.stringify(await db.command({ explain: explained, verbosity }))
  }

  /** How many keys of indexes, or documents, the database reads for each command. */
  const readBy = async (work: () => Promise<unknown>): Promise<number[]> => {
    const plans = (await commandsOf(work)).map((command) => planOf(command, 'executionStats'))
    const counts = (await Promise.all(plans)).map((plan) => [...plan.matchAll(/"total(?:Keys|Docs)Examined":(\d+)/g)])
    return counts.map((found) => Math.max(...found.map(([, count]) => Number(count))))
  }

  return { db, commandsOf, planOf, readBy }
}
