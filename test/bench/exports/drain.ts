// The baseline of an export: reads the same documents in the same order and drops them.
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { z } from 'zod'
import { contend } from '../contender.ts'

await contend(z.object({ mongoUrl: z.string(), job_id: z.string() }), async ({ mongoUrl, job_id }) => {
  const { db, close } = await connectMongo(mongoUrl)
  const work = async () => {
    let rows = 0
    for await (const _ of db.collection('results').find({ job_id }).sort({ position: 1 })) rows++
    return rows
  }
  return { work, close }
})
