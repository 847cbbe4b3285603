import type { FastifyBaseLogger } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { openDatabase } from '../kit/database/database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../kit/database/embeddedPostgres.ts'

/** A database of the configuration, by the name that it has in a backup. */
export type DatabasePlace = { name: 'server' | 'auth' | 'shares'; url: string }

/** The databases of the services that the configuration names. */
export type DatabasePlaces = {
  places: readonly DatabasePlace[]
  /** True if this process holds the lock of the embedded PostgreSQL. */
  isOwned: boolean
  close(): Promise<void>
}

/**
 * Finds the databases of a configuration. Starts the embedded PostgreSQL if it is configured and no server runs it.
 *
 * @param options.exclusive refuses an embedded PostgreSQL that a server runs, and creates missing databases
 * @throws Error with a sentence if a server uses the embedded PostgreSQL, or a database can't be created
 */
export async function openDatabasePlaces(
  config: ServerConfig,
  log: FastifyBaseLogger,
  { exclusive }: { exclusive: boolean },
): Promise<DatabasePlaces> {
  const running = config.databaseUrl ?? (exclusive ? undefined : await findEmbeddedPostgres(config.dataDir, log))
  const embedded = running === undefined ? await startEmbeddedPostgres(config.dataDir, log) : undefined
  const serverUrl = running ?? embedded?.url ?? ''
  const places = listPlaces(config, serverUrl)
  const close = async (): Promise<void> => embedded?.close()
  try {
    if (exclusive) await createMissing(config, { serverUrl, places }, log)
  } catch (error) {
    await close()
    throw error
  }
  return { places, isOwned: embedded !== undefined, close }
}

function listPlaces({ services, login }: ServerConfig, serverUrl: string): readonly DatabasePlace[] {
  const places: DatabasePlace[] = []
  if (services.some((service) => service === 'relay' || service === 'api')) {
    places.push({ name: 'server', url: serverUrl })
  }
  for (const name of ['auth', 'shares'] as const) {
    if (services.includes(name)) places.push({ name, url: login[name].databaseUrl ?? siblingUrl(serverUrl, name) })
  }
  return places
}

function siblingName(service: 'auth' | 'shares'): string {
  return `latchkey_${service}`
}

function siblingUrl(serverUrl: string, service: 'auth' | 'shares'): string {
  const url = new URL(serverUrl)
  url.pathname = `/${siblingName(service)}`
  return url.href
}

type FoundDatabases = { serverUrl: string; places: readonly DatabasePlace[] }

async function createMissing(
  { login }: ServerConfig,
  { serverUrl, places }: FoundDatabases,
  log: FastifyBaseLogger,
): Promise<void> {
  for (const { name } of places) {
    if (name === 'server' || login[name].databaseUrl !== undefined) continue
    const server = await openDatabase({ databaseUrl: serverUrl, dataDir: '' }, log)
    try {
      await (await server.openSibling(siblingName(name))).close()
    } finally {
      await server.close()
    }
  }
}
