// Preloaded into a coordinator (node --import) to let it die between two writes of a job's creation, cancellation,
// deletion, closing or purging. The file CRASH_POINT says between which; without it nothing happens.
import { Collection, MongoClient } from 'mongodb'
import { armedCrash, FIRST_WRITES, noteCrash } from './crash-points.ts'

// `insertMany` calls `bulkWrite`.
const WRITES = [
  ...['insertOne', 'bulkWrite', 'updateOne', 'updateMany', 'replaceOne'],
  ...['findOneAndUpdate', 'deleteOne', 'deleteMany'],
]
const JOB_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

const file = process.env.CRASH_POINT ?? ''
let begun: { job_id: string; writes: number } | undefined

for (const name of WRITES) {
  dyingBefore(Collection.prototype, name, (collection) => collection.collectionName)
}
// One command to several collections counts for the first of them.
dyingBefore(MongoClient.prototype, 'bulkWrite', (_, [models]) =>
  String(Object(models)[0].namespace).replace(/^[^.]*\./, ''),
)

function dyingBefore<Target extends object>(
  prototype: Target,
  name: string,
  collectionOf: (target: Target, given: unknown[]) => string,
): void {
  const write: unknown = Reflect.get(prototype, name)
  if (typeof write !== 'function') throw new Error(`the driver has no ${name}`)
  Reflect.set(prototype, name, function (this: Target, ...given: unknown[]) {
    dieBefore(collectionOf(this, given), name, given)
    return write.apply(this, given)
  })
}

function dieBefore(collection: string, name: string, given: unknown[]): void {
  const point = armedCrash(file)
  if (!point) {
    begun = undefined
    return
  }
  const text = JSON.stringify(given.slice(0, 2))
  if (begun) {
    if (!text.includes(begun.job_id)) return
    begun.writes += 1
    if (begun.writes <= point.write) return
    noteCrash(file, `in the ${point.step} of ${begun.job_id}, before its write ${begun.writes}, ${collection}.${name}`)
    process.kill(process.pid, 'SIGKILL')
  }
  const first = FIRST_WRITES[point.step]
  const [job_id] = JOB_ID.exec(text) ?? []
  if (collection === first.collection && text.includes(first.text) && job_id !== undefined)
    begun = { job_id, writes: 1 }
}
