import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMasterKeys } from './openMasterKeys.ts'
import { toKeyEncryptionProvider } from './secrets.ts'

describe('master keys', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-keeper-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('master keys are loaded from a plug-in, a variable or a file, in this order', async () => {
    const [plugin, file] = [join(folder, 'keeper.mjs'), join(folder, 'auth.keys')]
    await writeFile(
      plugin,
      `export default () => ({ primary: 'far', seal: (place, secret) => secret, open: () => {} })`,
    )
    const text = `near:${'1'.repeat(64)}`
    const names = [
      await openMasterKeys({ plugin, text, variable: 'AUTH_KEYS', file }),
      await openMasterKeys({ text, variable: 'AUTH_KEYS', file }),
    ].map((keys) => toKeyEncryptionProvider(keys).primary)
    expect(names).toEqual(['far', 'near'])
    const made = await openMasterKeys({ variable: 'AUTH_KEYS', file })
    expect(toKeyEncryptionProvider(made).primary).toBe(
      toKeyEncryptionProvider(await openMasterKeys({ variable: 'AUTH_KEYS', file })).primary,
    )
  })

  test.each(['export default 1', 'export default () => ({ primary: 1 })', 'export const a = 1', 'not a module ('])(
    'starting with the invalid plug-in %j rejects with a clear message [K-07]',
    async (source) => {
      const plugin = join(folder, `bad-${source.length}.mjs`)
      await writeFile(plugin, source)
      const opening = openMasterKeys({ plugin, variable: 'AUTH_KEYS', file: join(folder, 'unused.keys') })
      await expect(opening).rejects.toThrow(/^The key plug-in .* (cannot be loaded|must export)/)
    },
  )
})
