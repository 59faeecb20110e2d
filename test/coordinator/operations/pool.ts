import { randomBytes } from 'node:crypto'
import { createExitIds } from '@placefleet/coordinator/exits/documents'
import { createProxyPool } from '@placefleet/coordinator/exits/pool'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import type { Operation } from './operation.ts'

const PROXIES = ['http://one.example.com:80', 'http://two.example.com:80']

/** The pool of proxies. */
export const poolOperations: readonly Operation[] = [
  {
    name: 'exits/pool.ts rename',
    when: 'of two proxies, after a rotation of the key',
    async begin({ db }) {
      await db.collection('proxy_pool').deleteMany({})
      const [old, key] = [randomBytes(32), randomBytes(32)]
      const secrets = createSecretBox(key)
      const poolUnder = (seen: Db, named: Buffer) => createProxyPool(seen, { secrets, exitIds: createExitIds(named) })
      await poolUnder(db, old).add(PROXIES)
      return {
        users: [],
        call: (seen) => poolUnder(seen, key).rename(),
        async check() {
          const pool = poolUnder(db, key)
          expect((await pool.urls()).toSorted()).toEqual(PROXIES)
          const names = (await db.collection<{ _id: string }>('proxy_pool').find().toArray()).map(({ _id }) => _id)
          expect(names.toSorted()).toEqual((await pool.add(PROXIES)).toSorted())
          await db.collection('proxy_pool').deleteMany({}) // the coordinators of the other rows have another key
        },
      }
    },
  },
]
