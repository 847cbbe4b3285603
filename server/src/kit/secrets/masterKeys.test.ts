import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  addMasterKey,
  hasPreparedMasterKey,
  promoteMasterKey,
  readMasterKeys,
  removeOlderMasterKeys,
} from './masterKeys.ts'

const now = Date.UTC(2026, 0, 1)

test.each([0, -3_600_000])(
  'a key file is rotated again by a clock that moved by %i ms since the first time',
  async (moved) => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-master-keys-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'auth.keys')
    // Creates the file.
    await readMasterKeys(file)
    await addMasterKey(file, now)
    await promoteMasterKey(file)
    await removeOlderMasterKeys(file)

    const added = await addMasterKey(file, now + moved)
    expect(await hasPreparedMasterKey(file)).toBe(true)
    expect(await promoteMasterKey(file)).toBe(added)
    expect((await readMasterKeys(file)).map(({ id }) => id)).toEqual([added, expect.any(String)])
  },
)
