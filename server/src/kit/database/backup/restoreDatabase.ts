import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { BackupFrame, BackupHeader } from './backupFrames.ts'
import { withClient } from '../withClient.ts'
import { quoteName } from './listTables.ts'

export type RestoreOptions = {
  /** Called after each table. */
  progress(table: string, bytes: number): void
}

/** The frames of one database, behind the one that names it. */
export type DatabaseFrames = { next(): Promise<BackupFrame> }

/**
 * Fills the tables of a migrated, empty database in one transaction: after an error it is empty as before.
 *
 * @param frames read up to the end of the database
 * @throws Error with a sentence if a table refuses its rows
 */
export async function restoreDatabase(
  url: string,
  frames: DatabaseFrames,
  { progress }: RestoreOptions,
): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('begin')
    let frame = await frames.next()
    while (frame.kind === 'table') {
      const { name } = frame
      const { rest, bytes } = await restoreTable(client, frame, frames).catch((cause: unknown) => {
        throw new Error(`The rows of table ${name} could not be restored. The databases are as before.`, { cause })
      })
      progress(name, bytes)
      frame = rest
    }
    if (frame.kind !== 'sequences') throw new Error('The backup has no end of the database.')
    for (const { name, value } of frame.sequences) {
      await client.query('select setval($1::regclass, $2)', [`public.${quoteName(name)}`, value])
    }
    await client.query('commit')
  })
}

type TableHeader = Extract<BackupHeader, { kind: 'table' }>

async function restoreTable(
  client: pg.Client,
  { name, columns }: TableHeader,
  frames: DatabaseFrames,
): Promise<{ rest: BackupFrame; bytes: number }> {
  await deleteDefaults(client, name)
  const stream = client.query(copyFrom(`copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) from stdin`))
  // An error of the database also ends a wait for room.
  const ended = finished(stream)
  ended.catch(() => undefined)
  let bytes = 0
  let frame = await frames.next()
  for (; frame.kind === 'rows'; frame = await frames.next()) {
    bytes += frame.data.length
    if (!stream.write(frame.data)) await Promise.race([once(stream, 'drain'), ended])
  }
  stream.end()
  await ended
  return { rest: frame, bytes }
}

/** A migration may have inserted rows, which the backup has as well. */
async function deleteDefaults(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query(`select from ${quoteName(table)} limit 1`)
  if (rows.length > 0) await client.query(`delete from ${quoteName(table)}`)
}
