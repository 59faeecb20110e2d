import { readConfig } from '@placefleet/coordinator/config'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createEndedJobWorkers } from '@placefleet/coordinator/jobs/ended-jobs'
import { insertJob } from '@placefleet/coordinator/jobs/store'
import { startLoops } from '@placefleet/coordinator/loops'
import { createServices, type Services } from '@placefleet/coordinator/services'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { FAST } from '../harness/coordinator/fast.ts'
import { contextOf } from '../harness/coordinator/parts.ts'
import { lifeOf, sampleJob } from '../harness/coordinator/sample-job.ts'
import { coordinatorEnv, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

/** The services of a coordinator, and its loops over them or over others. */
async function startWithLoops() {
  const world = await startWorld()
  const { db, log } = world
  const nats = await connect(natsServers(world.natsUrl))
  onTestFinished(() => nats.close())
  const config = readConfig(coordinatorEnv(world))
  const context = contextOf({ config, log, db, nats, timings: FAST })
  const services = await createServices(context)
  const loopsOver = (changed: Services) => {
    const life = createLifecycle(log)
    startLoops(context, life, changed)
    onTestFinished(() => life.close())
  }
  return { context, services, loopsOver }
}

test('the agents of the fleet are listed again while jobs are slow to be found', async () => {
  const { services, loopsOver } = await startWithLoops()
  const [looking, foundAtLast, counted] = [0, 0, 0].map(() => Promise.withResolvers<undefined>())
  let counts = 0
  loopsOver({
    ...services,
    jobs: {
      ...services.jobs,
      activeJobs: {
        ...services.jobs.activeJobs,
        start() {
          looking?.resolve(undefined)
          return foundAtLast?.promise ?? expect.fail()
        },
      },
    },
    fleet: {
      ...services.fleet,
      taskAgents: {
        ...services.fleet.taskAgents,
        async refresh() {
          counts += 1
          if (counts === 2) counted?.resolve(undefined)
        },
      },
    },
  })
  onTestFinished(() => foundAtLast?.resolve(undefined)) // before the loops are stopped

  await looking?.promise
  await counted?.promise
})

test('while the ends of jobs last, tasks are taken from dead agents and other jobs end at their deadline', async () => {
  const { context, services, loopsOver } = await startWithLoops()
  const { db } = context
  const [slow, lost, late] = ['user 1', 'user 2', 'user 3'].map((user) => sampleJob(user, { held: 0 }))
  if (!slow || !lost || !late) throw new Error('no jobs')
  const past = new Date(Date.now() - 60_000)
  for (const job of [slow, lost, late]) await insertJob(db, job)
  const closing = { ...lifeOf('completed'), phase: 'closing', status: 'completed', started_at: past } as const
  await jobsOf(db).updateOne({ _id: slow._id }, { $set: { ...closing, due_at: past } })
  await jobsOf(db).updateOne({ _id: lost._id }, { $set: { ...lifeOf('running'), due_at: past } })
  await insertTasks(context.db, [
    { job_id: lost._id, user_id: lost.user_id, kind: 'discover', ordinal: 0, keyword: 'cafe' },
    { job_id: late._id, user_id: late.user_id, kind: 'discover', ordinal: 0, keyword: 'cafe' },
  ])
  await jobsOf(db).updateOne({ _id: late._id }, { $set: { ...lifeOf('running'), due_at: past, deadline_at: past } })
  const hears = Promise.withResolvers<void>()
  const hasHeard = Promise.withResolvers<void>()
  const onJobEnded = [
    async () => {
      hears.resolve()
      await hasHeard.promise
    },
  ]
  const endedJobs = createEndedJobWorkers({ ...services.jobs.jobCreation, onJobEnded, isNeeded: async () => false })
  loopsOver({ ...services, jobs: { ...services.jobs, endedJobs } })
  onTestFinished(() => hasHeard.resolve())

  await hears.promise
  await tasksOf(db).updateOne(
    { job_id: lost._id },
    { $set: { state: 'running', attempt: 1, agent_id: 'a', stream: 's', lease_until: past } },
  )
  await until('the task is taken from its agent', async () => {
    return (await tasksOf(db).findOne({ job_id: lost._id }))?.failures === 1
  })
  await until('the late job has ended', async () => {
    return (await jobsOf(db).findOne({ _id: late._id }))?.status === 'cancelled'
  })
  expect(await jobsOf(db).findOne({ _id: slow._id })).toMatchObject({ phase: 'closing', status: 'completed' })
})
