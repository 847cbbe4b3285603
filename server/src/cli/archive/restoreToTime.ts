import { appendFile, chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { archivePaths, listBaseBackups } from './listBaseBackups.ts'

export type RestoreToTimeOptions = {
  /** The folder that `archiveDatabase` has written. */
  folder: string
  /** A time of ISO 8601 with its zone, or `latest` for the last archived write. */
  until: string
  /** The data folder of PostgreSQL, which has to be empty. */
  dataFolder: string
  print(line: string): void
}

/**
 * Prepares the data folder of a stopped PostgreSQL server. When it starts, it replays the archived log until a time, and
 * then accepts writes.
 *
 * @throws Error with a sentence if the time is wrong or not in the archive, or the folder is not empty
 */
export async function restoreToTime({ folder, until, dataFolder, print }: RestoreToTimeOptions): Promise<void> {
  const target = parseUntil(until)
  const log = resolve(archivePaths(folder).log)
  assertSafePath(log)
  const bases = await listBaseBackups(folder)
  const base = bases.findLast(({ completedAt }) => target === undefined || completedAt <= target)
  if (base === undefined) {
    const first = bases[0]?.completedAt.toISOString()
    throw new Error(
      first === undefined
        ? `The archive ${folder} has no base backup.`
        : `The archive ${folder} begins at ${first}: choose a later time.`,
    )
  }
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  if ((await readdir(dataFolder)).length > 0) {
    throw new Error(`${dataFolder} is not empty: stop PostgreSQL, and move its folder away first.`)
  }
  await cp(base.path, dataFolder, { recursive: true, verbatimSymlinks: true })
  // PostgreSQL refuses folders that others can read.
  await chmod(dataFolder, 0o700)
  await appendFile(join(dataFolder, 'postgresql.auto.conf'), formatRecovery(log, target))
  await writeFile(join(dataFolder, 'recovery.signal'), '', { mode: 0o600 })
  print(`${dataFolder} is prepared from ${base.path}. Start PostgreSQL: it restores the state of ${until}.`)
}

/** @returns `undefined` for the last archived write */
function parseUntil(until: string): Date | undefined {
  if (until === 'latest') return undefined
  const hasZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(until)
  const time = new Date(until)
  if (hasZone && !Number.isNaN(time.getTime())) return time
  throw new Error('--until is a time with its zone, such as 2026-01-31T03:00:00Z, or latest.')
}

/** PostgreSQL runs the command in a shell, as a value in quotes in its configuration. */
function assertSafePath(path: string): void {
  if (!/^[\w./-]+$/.test(path)) throw new Error(`Move the archive: its path ${path} has characters that a shell reads.`)
}

function formatRecovery(log: string, target: Date | undefined): string {
  const settings = [
    // The newest segment is still incomplete, and has another name.
    `restore_command = 'cp ${log}/%f %p 2>/dev/null || cp ${log}/%f.partial %p'`,
    ...(target === undefined
      ? []
      : [`recovery_target_time = '${target.toISOString().replace('T', ' ').replace('Z', '+00')}'`]),
    `recovery_target_action = 'promote'`,
    // Commits would wait for a replica of the lost server.
    `synchronous_standby_names = ''`,
  ]
  return `\n${settings.join('\n')}\n`
}
