import type { ClientBulkWriteModel, ClientBulkWriteResult, Collection, Db, MongoClient } from 'mongodb'

/** Every call that writes. */
export const WRITES = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne'],
  'findOneAndUpdate',
  'findOneAndDelete',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
]

/** Returns a database whose named calls go through `step`. */
export function steppingDb(
  db: Db,
  names: readonly string[],
  step: (call: () => Promise<unknown>) => Promise<unknown>,
): Db {
  const wrapped = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return names.includes(String(name))
          ? (...given: unknown[]) => step(() => member.apply(target, given))
          : member.bind(target)
      },
    })
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name === 'collection') return (of: string) => wrapped(target.collection(of))
      if (name === 'client' && names.includes('bulkWrite')) return steppingClient(target.client, step)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

type Models = ClientBulkWriteModel<Record<string, object>>[]

/**
 * Returns a client whose `bulkWrite` takes a step for its inserts and one for each update: a command that writes to
 * several collections is not atomic.
 */
const steppingClient = (client: MongoClient, step: (call: () => Promise<unknown>) => Promise<unknown>) => ({
  async bulkWrite(models: Models, options: object): Promise<Partial<ClientBulkWriteResult>> {
    const results = { insertedCount: 0, updateResults: new Map() }
    for (let [from, to] = [0, 0]; from < models.length; from = to) {
      do to += 1
      while (models[from]?.name === 'insertOne' && models[to]?.name === 'insertOne')
      await step(async () => {
        const { insertedCount, updateResults } = await client.bulkWrite(models.slice(from, to), options)
        results.insertedCount += insertedCount
        for (const [index, result] of updateResults ?? []) results.updateResults.set(from + index, result)
      })
    }
    return results
  },
})
