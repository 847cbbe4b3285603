import type { FastifyBaseLogger } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { assertUnused } from '../kit/database/assertUnused.ts'
import { withClient } from '../kit/database/withClient.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { listRecordedMigrations, planReversal, reverseMigrations, type Migrations } from '../kit/database/migrations.ts'
import { schemas } from '../schema/schemas.ts'
import { openDatabasePlaces } from './databasePlaces.ts'

export type MigrateCommandOptions = {
  /** The last migration of each service, as `formatSchemaVersion` writes them. */
  version: string
  /** Reverses migrations that delete rows of this release. */
  acceptsLoss: boolean
  print(line: string): void
  log: FastifyBaseLogger
}

type ServiceName = keyof typeof schemas
type Target = { service: ServiceName; target: string }
type Step = Target & { database: Database; place: string; reversed: ReturnType<typeof planReversal> }

/**
 * Formats the version of the tables of this release: the last migration of each service.
 *
 * @example formatSchemaVersion() // 'access/001-access,api/004-api-spam-reports,…'
 */
export function formatSchemaVersion(): string {
  const last = Object.entries(schemas).map(
    ([service, migrations]: [string, Migrations]) => `${service}/${Object.keys(migrations).toSorted().at(-1)}`,
  )
  return last.join(',')
}

/**
 * Gives the databases of the configured services the tables of an older release, whose version its own command prints. Everything
 * is checked before anything changes.
 *
 * @throws Error with a sentence if a server runs, a migration can't be reversed, or rows would be lost without permission
 */
export async function migrateDatabases(config: ServerConfig, options: MigrateCommandOptions): Promise<void> {
  const targets = parseVersion(options.version)
  const { places, isOwned, close } = await openDatabasePlaces(config, options.log, { exclusive: true })
  const opened: Database[] = []
  try {
    const steps: Step[] = []
    for (const { name: place, url } of places) {
      if (!isOwned) await withClient(url, assertUnused)
      const database = await openDatabase({ databaseUrl: url, dataDir: '' }, options.log)
      opened.push(database)
      for (const each of targets) steps.push({ ...each, database, place, reversed: await plan(database, each) })
    }
    await reverseAll(
      steps.filter(({ reversed }) => reversed.length > 0),
      options,
    )
  } finally {
    for (const database of opened) await database.close()
    await close()
  }
}

async function plan({ kysely }: Database, { service, target }: Target): Promise<Step['reversed']> {
  return planReversal(schemas[service], await listRecordedMigrations(kysely, service), target)
}

async function reverseAll(steps: readonly Step[], { acceptsLoss, print }: MigrateCommandOptions): Promise<void> {
  const losses = steps.flatMap(({ reversed }) => reversed.flatMap(({ loses }) => loses ?? []))
  if (losses.length > 0 && !acceptsLoss) {
    throw new Error(`This deletes ${losses.join('; ')}. Add --accept-loss to do it. Nothing was changed.`)
  }
  for (const { database, place, service, target, reversed } of steps) {
    await reverseMigrations(database.kysely, schemas[service], { service, target })
    for (const { name } of reversed) print(`Reversed ${service}/${name} in the database "${place}".`)
  }
  print(steps.length === 0 ? 'The tables have this version already.' : 'Start the older release now.')
}

function parseVersion(version: string): readonly Target[] {
  return version.trim().split(',').map(parseTarget)
}

function parseTarget(text: string): Target {
  const [service = '', target = ''] = text.split('/', 2)
  if (isServiceName(service) && target !== '') return { service, target }
  throw new Error(`${text} is not a part of a version: run "migrate version" of the older release.`)
}

function isServiceName(text: string): text is ServiceName {
  return Object.hasOwn(schemas, text)
}
