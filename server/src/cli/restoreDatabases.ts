import type { FastifyBaseLogger } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { readBackupFile, type BackupFrame } from '../kit/database/backup/backupFrames.ts'
import { prepareDatabase, type PreparedDatabase } from '../kit/database/backup/prepareDatabase.ts'
import { restoreDatabase, type DatabaseFrames } from '../kit/database/backup/restoreDatabase.ts'
import { openDatabase } from '../kit/database/database.ts'
import { migrate, pickMigrations, type Migrations } from '../kit/database/migrations.ts'
import { schemas } from '../schema/schemas.ts'
import { formatBytes } from './backupDatabases.ts'
import { openDatabasePlaces, type DatabasePlace } from './databasePlaces.ts'

export type RestoreCommandOptions = {
  /** Replaces the tables of the databases. Else only empty databases are restored. */
  replaces: boolean
  print(line: string): void
  log: FastifyBaseLogger
}

type DatabaseHeader = Extract<BackupFrame, { kind: 'database' }>

/**
 * Restores the databases of the configured services from a backup. The whole file is verified before anything changes, and
 * a restore that fails leaves the databases as they were.
 *
 * @throws Error with a sentence if the file is damaged or newer than this release, a server runs, or a database has tables
 */
export async function restoreDatabases(
  config: ServerConfig,
  file: string,
  { replaces, print, log }: RestoreCommandOptions,
): Promise<void> {
  const headers = await verifyBackup(file)
  const { places, isOwned, close } = await openDatabasePlaces(config, log, { exclusive: true })
  try {
    const chosen = places.filter(({ name }) => headers.some((header) => header.name === name))
    if (chosen.length === 0) {
      throw new Error(`The backup has none of the databases of SERVICES: ${places.map(({ name }) => name).join(', ')}.`)
    }
    await replaceDatabases(chosen, { replaces, isOwned }, () => restoreAll(file, chosen, { print, log }))
  } finally {
    await close()
  }
  print('The backup is restored. Put the key files back before you start the server.')
}

/** Sets the tables of all databases aside, and deletes them when the restore of all succeeded. Else puts them back. */
async function replaceDatabases(
  places: readonly DatabasePlace[],
  options: { replaces: boolean; isOwned: boolean },
  restore: () => Promise<void>,
): Promise<void> {
  const prepared: PreparedDatabase[] = []
  try {
    for (const { url } of places) prepared.push(await prepareDatabase(url, options))
    await restore()
  } catch (error) {
    for (const { undo } of prepared) await undo()
    throw error
  }
  for (const { keep } of prepared) await keep()
}

/** Reads the whole backup. @returns the databases in it, whose migrations this release knows */
async function verifyBackup(file: string): Promise<readonly DatabaseHeader[]> {
  const headers: DatabaseHeader[] = []
  for await (const frame of readBackupFile(file)) {
    if (frame.kind !== 'database') continue
    pickServiceMigrations(frame)
    headers.push(frame)
  }
  return headers
}

function pickServiceMigrations({ migrations }: DatabaseHeader): ReadonlyArray<readonly [string, Migrations]> {
  const known: Readonly<Record<string, Migrations>> = schemas
  return Object.entries(migrations).map(([service, recorded]) => [
    service,
    pickMigrations(known[service] ?? {}, recorded),
  ])
}

async function restoreAll(
  file: string,
  places: readonly DatabasePlace[],
  { print, log }: Pick<RestoreCommandOptions, 'print' | 'log'>,
): Promise<void> {
  const source = readBackupFile(file)
  const frames: DatabaseFrames = {
    async next() {
      const { value, done } = await source.next()
      if (done === true) throw new Error(`The backup ${file} is incomplete.`)
      return value
    },
  }
  for (let frame = await frames.next(); frame.kind !== 'end'; frame = await frames.next()) {
    if (frame.kind !== 'database') continue
    const { name } = frame
    const place = places.find((each) => each.name === name)
    // The frames of a database of another operator are read and dropped.
    if (place === undefined) continue
    await migrateTo(place.url, frame, log)
    await restoreDatabase(place.url, frames, {
      progress: (table, bytes) => print(`${name}.${table}: ${formatBytes(bytes)}`),
    })
  }
}

async function migrateTo(url: string, header: DatabaseHeader, log: FastifyBaseLogger): Promise<void> {
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  try {
    for (const [service, migrations] of pickServiceMigrations(header)) {
      await migrate(database.kysely, migrations, service, { isRestore: true })
    }
  } finally {
    await database.close()
  }
}
