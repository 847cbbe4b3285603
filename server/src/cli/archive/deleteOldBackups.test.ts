import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { archivePaths, formatBaseName } from './listBaseBackups.ts'
import { deleteOldBackups } from './deleteOldBackups.ts'

const now = Date.parse('2026-03-01T00:00:00Z')
const segment = (number: number, timeline = 1): string =>
  `${timeline}`.padStart(8, '0') + number.toString(16).toUpperCase().padStart(16, '0')

/** An archive with a base backup for each age in days, whose log begins at the segment 100 - age. */
async function createArchive(...ages: readonly number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { bases, log } = archivePaths(folder)
  await mkdir(log, { recursive: true })
  for (const age of ages) {
    const base = join(bases, formatBaseName(new Date(now - age * 86_400_000)))
    await mkdir(base, { recursive: true })
    const label = `START WAL LOCATION: 0/2000028 (file ${segment(100 - age)})\nCHECKPOINT LOCATION: 0/2000060\n`
    await writeFile(join(base, 'backup_label'), label)
  }
  for (const name of [segment(50), segment(62, 2), segment(63), `${segment(100)}.partial`, '00000002.history']) {
    await writeFile(join(log, name), '')
  }
  return {
    folder,
    list: async () => ({ bases: (await readdir(bases)).length, log: (await readdir(log)).toSorted() }),
  }
}

const all = [segment(50), segment(62, 2), segment(63), `${segment(100)}.partial`, '00000002.history'].toSorted()

test('the moments of the last 30 days stay restorable, and older base backups and logs are deleted', async () => {
  const { folder, list } = await createArchive(51, 44, 37, 30, 2)
  await deleteOldBackups(folder, now)
  const kept = all.filter((name) => name !== segment(50) && name !== segment(62, 2))
  expect(await list()).toEqual({ bases: 3, log: kept })
})

test.each([
  ['younger than 30 days', [29, 2]],
  ['one that is older', [60]],
  ['no base backup', []],
])('an archive with %s keeps everything', async (_, ages) => {
  const { folder, list } = await createArchive(...ages)
  await mkdir(archivePaths(folder).bases, { recursive: true })
  await deleteOldBackups(folder, now)
  expect(await list()).toEqual({ bases: ages.length, log: all })
})
