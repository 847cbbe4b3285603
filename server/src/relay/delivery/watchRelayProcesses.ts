import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../../kit/bus/bus.ts'
import type { Database } from '../../kit/database/database.ts'

export type RelayProcessesOptions = {
  database: Pick<Database, 'openPool'>
  bus: Pick<Bus, 'spansProcesses'>
  log: FastifyBaseLogger
  /** Called when another process that the bus does not reach serves the same database. */
  onUnreachable(): void
}

/** The shared advisory lock that each relay process holds, by class and object. */
const lock = [0x1a7c4ce7, 20] as const
const checkIntervalMs = 5_000

/** Counts the other holders of the lock, and looks for its own: it is lost when its connection breaks. */
const countStatement = `
  select count(*) filter (where pid <> pg_backend_pid()) as others,
    coalesce(bool_or(pid = pg_backend_pid()), false) as is_held
  from pg_locks
  where locktype = 'advisory' and classid = $1::bigint and objid = $2::bigint and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`

/**
 * Registers this process at the database, and looks for others that it can't hear because no Redis is configured. Two of
 * them run during a deployment, so they are not refused.
 *
 * @returns a function that stops it
 */
export async function watchRelayProcesses(options: RelayProcessesOptions): Promise<() => Promise<void>> {
  const { database, bus, log, onUnreachable } = options
  // The lock belongs to a connection, so there is only one.
  const own = await database.openPool(1)
  let hasWarned = false

  async function check(): Promise<void> {
    const [row] = await own.run<{ others: number; is_held: boolean }>('relay: count processes', countStatement, lock)
    if (row?.is_held !== true) await own.run('relay: register', 'select pg_advisory_lock_shared($1, $2)', lock)
    if (bus.spansProcesses || hasWarned || (row?.others ?? 0) === 0) return
    hasWarned = true
    log.warn(
      'Another relay process uses this database, and REDIS_URL is not set: messages between them arrive some seconds late.',
    )
    onUnreachable()
  }

  await check()
  const timer = setInterval(
    () => void check().catch(() => log.warn('relay processes could not be counted')),
    checkIntervalMs,
  )
  return async () => {
    clearInterval(timer)
    await own.close()
  }
}
