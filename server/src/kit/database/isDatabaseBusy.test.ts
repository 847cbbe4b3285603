import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { openDatabase } from './database.ts'
import { createHttp } from '../http/createHttp.ts'
import { createProjects } from '../http/projects.ts'

const { log } = Fastify({ logger: false })

test(
  'the server reports that it is busy while all database connections are in use, and recovers afterwards',
  { tags: 'faults' },
  async () => {
    const place = await createTestDatabase()
    const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
    const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
    app.get('/one', async () => database.run('test-one', 'select 1 as one', []))
    const other = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
    await other.run('test-lock', 'select pg_advisory_lock(7)', [])
    // A query that waits for the lock keeps its connection.
    const waiting = Array.from({ length: 40 }, () =>
      database.run('test-wait', 'select pg_advisory_lock_shared(7)', []).catch(() => []),
    )
    const busy = await app.inject('/one')
    expect([busy.statusCode, busy.headers['retry-after'], busy.json()]).toEqual([
      503,
      '1',
      { status: 'FAILED', reasons: [{ field: '', description: 'The server is busy. Try again.' }] },
    ])
    await other.close()
    await Promise.all(waiting)
    expect((await app.inject('/one')).json()).toEqual([{ one: 1 }])
    await database.close()
    await place.close()
  },
)
