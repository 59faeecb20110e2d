/** Collects the tasks of demo jobs from a simulated city. */
export type DemoCity = {
  /** Offers a task of a demo job to the city. Idempotent. */
  offer(task_id: string): void
}
