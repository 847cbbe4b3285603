import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMasterKeys } from './openMasterKeys.ts'
import { keeperOf } from './secrets.ts'

describe('master keys', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-keeper-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('are kept by a plug-in, in a variable, or in a file, in this order', async () => {
    const [plugin, file] = [join(folder, 'keeper.mjs'), join(folder, 'auth.keys')]
    await writeFile(
      plugin,
      `export default () => ({ primary: 'far', seal: (place, secret) => secret, open: () => {} })`,
    )
    const text = `near:${'1'.repeat(64)}`
    const names = [
      await openMasterKeys({ plugin, text, variable: 'AUTH_KEYS', file }),
      await openMasterKeys({ text, variable: 'AUTH_KEYS', file }),
    ].map((keys) => keeperOf(keys).primary)
    expect(names).toEqual(['far', 'near'])
    const made = await openMasterKeys({ variable: 'AUTH_KEYS', file })
    expect(keeperOf(made).primary).toBe(keeperOf(await openMasterKeys({ variable: 'AUTH_KEYS', file })).primary)
  })

  test.each(['export default 1', 'export default () => ({ primary: 1 })', 'export const a = 1', 'not a module ('])(
    'are not kept by a plug-in that says %j: the start stops with a sentence [K-07]',
    async (source) => {
      const plugin = join(folder, `bad-${source.length}.mjs`)
      await writeFile(plugin, source)
      const opening = openMasterKeys({ plugin, variable: 'AUTH_KEYS', file: join(folder, 'unused.keys') })
      await expect(opening).rejects.toThrow(/^The key plug-in .* (cannot be loaded|must export)/)
    },
  )
})
