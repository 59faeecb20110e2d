// The baseline of the API: Fastify and the driver, with nothing in between.
import { once } from 'node:events'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { fastify } from 'fastify'

const { db, close } = await connectMongo(process.env.MONGODB_URL ?? '')
const jobs = db.collection<{ _id: string; user_id: string }>('jobs')
const results = db.collection<{ _id: number; job_id: string }>('results')

const app = fastify()
app.get<{ Params: { id: string } }>('/job/:id', ({ params }) => jobs.findOne({ _id: params.id }))
app.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }) => {
  const own = { user_id: params.id }
  const page = jobs.find(own).sort({ created_at: -1, _id: -1 }).limit(10).toArray()
  const [found, total] = await Promise.all([page, jobs.countDocuments(own)])
  return { found, total }
})
app.get<{ Params: { id: string } }>('/places/:id', ({ params }) =>
  results.find({ job_id: params.id }).sort({ position: 1 }).limit(50).toArray(),
)
const dismissed = once(process, 'disconnect')
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
await dismissed
await app.close()
await close()
