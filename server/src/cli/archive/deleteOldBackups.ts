import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivePaths, listBaseBackups } from './listBaseBackups.ts'

/** An account that a user deleted is readable in older backups. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/**
 * Deletes what no moment of the last 30 days needs: base backups, except the newest of the old ones, and the log before it.
 *
 * @param now milliseconds since 1970
 */
export async function deleteOldBackups(folder: string, now: number): Promise<void> {
  const all = await listBaseBackups(folder)
  const old = all.filter(({ completedAt }) => now - completedAt.getTime() > retentionMs)
  const deleted = old.slice(0, -1)
  const oldest = old.at(-1)
  if (oldest === undefined || deleted.length === 0) return
  const label = await readFile(join(oldest.path, 'backup_label'), 'utf8')
  const first = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1]
  for (const { path } of deleted) await rm(path, { recursive: true, force: true })
  if (first !== undefined) await deleteSegments(archivePaths(folder).log, first)
}

/** Deletes the segments of the log before one. The first eight digits of a name are the timeline, which doesn't order them. */
async function deleteSegments(log: string, first: string): Promise<void> {
  for (const name of await readdir(log)) {
    if (/^[0-9A-F]{24}$/.test(name) && name.slice(8) < first.slice(8)) await rm(join(log, name))
  }
}
