import type { Db } from 'mongodb'
import type { Bed } from './bed.ts'

/** One call of an operation in a world of its own, and what must hold after it, however it went. */
export type Situation = {
  /** The users whose accounts, jobs and monitors must be sound afterwards. */
  users: readonly string[]
  /** The call, by a process that sees this database. */
  call(db: Db): Promise<unknown>
  /** What another process does at the same time. Default: the same call. */
  rival?(db: Db): Promise<unknown>
  /** What follows a crash. Default: the call again. */
  resume?(): Promise<unknown>
  /**
   * What coordinators do by themselves, after a crash and after a race. Default: the sweeps of the jobs of the users.
   */
  settle?(): Promise<unknown>
  /** @throws when not exactly what the operation promises was done. Default: nothing more than sound users. */
  check?(): Promise<unknown>
}

/** An operation in one situation. `name`: its file and its function. */
export type Operation = {
  name: string
  when: string
  /** The table that it is not in, because it makes no sense there. */
  notIn?: 'crashes' | 'races'
  begin(bed: Bed): Promise<Situation>
}
