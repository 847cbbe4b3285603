import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './database.ts'

export type ProcessWatchOptions<Service extends string> = {
  database: Pick<Database, 'openPool'>
  /** The services that this process runs. */
  services: readonly Service[]
  /** A number for each service, the same in all processes and versions. */
  ids: Readonly<Record<Service, number>>
  log: FastifyBaseLogger
}

/** The processes that run a service on the same database. */
export type ProcessWatch<Service extends string> = {
  /** Calls back, once, as soon as another process runs a service of this one. */
  onOther(service: Service, listener: () => void): void
  close(): Promise<void>
}

/** The class of the shared advisory locks that each process holds, one for each service. */
const lockClass = 0x1a7c4ce7
const checkIntervalMs = 5_000

/** Counts the other holders of each lock, and checks its own: it is lost when the connection breaks. */
const countStatement = `
  select id, count(*) filter (where pid <> pg_backend_pid()) as others,
    coalesce(bool_or(pid = pg_backend_pid()), false) as is_held
  from unnest($2::bigint[]) as id
  left join pg_locks on locktype = 'advisory' and classid = $1::bigint and objid = id and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())
  group by id`

/**
 * Registers this process at the database, and looks every five seconds for others that run the same services.
 *
 * @throws Error if the database is unreachable
 * @example
 *   const processes = await watchProcesses({ database, services: ['relay'], ids: { relay: 20 }, log })
 *   processes.onOther('relay', () => log.warn('Another process runs the relay.'))
 */
export async function watchProcesses<Service extends string>(
  options: ProcessWatchOptions<Service>,
): Promise<ProcessWatch<Service>> {
  const { database, services, ids, log } = options
  // A lock belongs to a connection, so there is only one.
  const connection = await database.openPool(1)
  const found = new Set<Service>()
  const listeners: { service: Service; listener: () => void }[] = []

  async function check(): Promise<void> {
    const parameters = [lockClass, services.map((service) => ids[service])]
    const rows = await connection.run<CountRow>('processes: count', countStatement, parameters)
    for (const { id, others, is_held } of rows) {
      if (!is_held) await connection.run('processes: register', lockStatement, [lockClass, id])
      const service = services.find((each) => ids[each] === id)
      if (others === 0 || service === undefined || found.has(service)) continue
      found.add(service)
      for (const each of listeners) if (each.service === service) each.listener()
    }
  }

  await check()
  const timer = setInterval(() => void check().catch(() => log.warn('processes could not be counted')), checkIntervalMs)
  return {
    onOther(service, listener) {
      if (found.has(service)) listener()
      else listeners.push({ service, listener })
    },
    async close() {
      clearInterval(timer)
      await connection.close()
    },
  }
}

type CountRow = { id: number; others: number; is_held: boolean }

const lockStatement = 'select pg_advisory_lock_shared($1::integer, $2::integer)'
