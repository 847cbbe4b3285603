import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kit/runtime/clock.ts'
import { archivePaths, formatBaseName, listBaseBackups } from './listBaseBackups.ts'
import { deleteOldBackups } from './deleteOldBackups.ts'
import { runProgram, toServerEnvironment, type ServerEnvironment } from './runProgram.ts'

export type ArchiveOptions = {
  /** The PostgreSQL server, with all of its databases. Its role needs the right `replication`. */
  databaseUrl: string
  folder: string
  /** Ends the command. */
  signal: AbortSignal
  clock: Clock
  print(line: string): void
}

const checkIntervalMs = 60 * 60 * 1000
/** A younger base backup makes a restore faster, because less of the log is replayed. */
const baseIntervalMs = 7 * 24 * 60 * 60 * 1000
/** The server keeps the log for this slot while the archive is away. */
const slot = 'latchkey_archive'

/**
 * Archives a PostgreSQL server until it is stopped: a base backup a week, and the log of all writes at once, so that
 * `restoreToTime` can restore any moment of the last 30 days.
 *
 * @throws Error with a sentence if one of PostgreSQL's programs is missing or fails
 */
export async function archiveDatabase(options: ArchiveOptions): Promise<void> {
  const { databaseUrl, folder, signal, print } = options
  const environment = toServerEnvironment(databaseUrl)
  const { bases, log } = archivePaths(folder)
  for (const each of [folder, bases, log]) await mkdir(each, { recursive: true, mode: 0o700 })
  await runProgram('pg_receivewal', ['-D', log, `--slot=${slot}`, '--create-slot', '--if-not-exists'], { environment })
  print(`The log of writes is archived in ${log}.`)
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  signal.addEventListener('abort', stop, { once: true })
  // It reconnects by itself after a restart of the server.
  const receiving = runProgram('pg_receivewal', ['-D', log, `--slot=${slot}`, '--synchronous', '--no-password'], {
    environment,
    signal: stopped.signal,
  })
  try {
    await Promise.race([receiving, keepBaseBackups(options, environment)])
  } finally {
    stop()
    await receiving.catch(() => undefined)
  }
}

async function keepBaseBackups(options: ArchiveOptions, environment: ServerEnvironment): Promise<void> {
  const { folder, signal, clock, print } = options
  while (!signal.aborted) {
    const newest = (await listBaseBackups(folder)).at(-1)
    if (newest === undefined || clock.now() - newest.completedAt.getTime() >= baseIntervalMs) {
      print(`The base backup is in ${await createBaseBackup(options, environment)}.`)
      await deleteOldBackups(folder, clock.now())
    }
    await sleep(checkIntervalMs, undefined, { signal }).catch(() => undefined)
  }
}

async function createBaseBackup({ folder, clock }: ArchiveOptions, environment: ServerEnvironment): Promise<string> {
  const { bases } = archivePaths(folder)
  const draft = join(bases, 'incomplete')
  await rm(draft, { recursive: true, force: true })
  // The log of the time of the copy is in the archive.
  await runProgram('pg_basebackup', ['-D', draft, '--wal-method=none', '--checkpoint=fast', '--no-password'], {
    environment,
  })
  const path = join(bases, formatBaseName(new Date(clock.now())))
  await rename(draft, path)
  return path
}
