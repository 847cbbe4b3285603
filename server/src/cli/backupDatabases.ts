import type { FastifyBaseLogger } from 'fastify'
import type { ServerConfig } from '../config.ts'
import { writeBackupFile, type BackupFrame } from '../kit/database/backup/backupFrames.ts'
import { dumpDatabase } from '../kit/database/backup/dumpDatabase.ts'
import { version } from '../operations/version.ts'
import { openDatabasePlaces, type DatabasePlace } from './databasePlaces.ts'

export type BackupOptions = {
  /** Leaves out the data keys. Deleted accounts stay unreadable in such a backup, and so do all others. */
  withoutDataKeys: boolean
  print(line: string): void
  log: FastifyBaseLogger
}

const dataKeyTables = ['auth_data_key', 'share_data_key']

/**
 * Writes the databases of the configured services to a file, while the server runs. Key files are not part of it.
 *
 * @throws Error with a sentence if a database can't be read, or the file can't be written
 */
export async function backupDatabases(
  config: ServerConfig,
  file: string,
  { withoutDataKeys, print, log }: BackupOptions,
): Promise<void> {
  const { places, close } = await openDatabasePlaces(config, log, { exclusive: false })
  const excluded = withoutDataKeys ? dataKeyTables : []
  try {
    await writeBackupFile(file, dumpAll(places, { excluded, print }))
  } finally {
    await close()
  }
  print(`The backup is in ${file}. Store the key files separately: ${listKeyFiles(config).join(', ')}.`)
}

async function* dumpAll(
  places: readonly DatabasePlace[],
  { excluded, print }: { excluded: readonly string[]; print(line: string): void },
): AsyncGenerator<BackupFrame> {
  let tables = 0
  yield { kind: 'backup', format: 1, createdAt: new Date().toISOString(), release: version }
  for (const place of places) {
    const progress = (table: string, bytes: number): void => {
      tables += 1
      print(`${table}: ${formatBytes(bytes)}`)
    }
    yield* dumpDatabase({ ...place, excluded, progress })
  }
  yield { kind: 'end', tables }
}

/** Formats a size for a line of progress. */
export function formatBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

function listKeyFiles({ services, login, apiKeysFile }: ServerConfig): readonly string[] {
  const ofService = (['auth', 'shares'] as const).filter((service) => services.includes(service))
  return [...ofService.map((service) => login[service].keys.file), ...(services.includes('api') ? [apiKeysFile] : [])]
}
