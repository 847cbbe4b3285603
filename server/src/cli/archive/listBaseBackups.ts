import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A copy of all files of a PostgreSQL server. Its name is the time at which it was complete. */
export type BaseBackup = { path: string; completedAt: Date }

/** The folders of an archive: base backups, and the log of all later writes. */
export function archivePaths(folder: string): { bases: string; log: string } {
  return { bases: join(folder, 'base'), log: join(folder, 'wal') }
}

/** Names a base backup. Colons would not be valid on all file systems. */
export function formatBaseName(completedAt: Date): string {
  return completedAt.toISOString().replaceAll(':', '-')
}

/** Lists the complete base backups of an archive, the oldest first. */
export async function listBaseBackups(folder: string): Promise<readonly BaseBackup[]> {
  const { bases } = archivePaths(folder)
  const names = await readdir(bases).catch(() => [])
  return names
    .flatMap((name): BaseBackup[] => {
      const time = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/.exec(name)
      if (time === null) return []
      const [, day, hours, minutes, seconds] = time
      return [{ path: join(bases, name), completedAt: new Date(`${day}T${hours}:${minutes}:${seconds}`) }]
    })
    .toSorted((one, other) => one.completedAt.getTime() - other.completedAt.getTime())
}
