import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyEncryption } from './keyEncryption.ts'
import { parseMasterKeys, readMasterKeys } from './masterKeys.ts'

const place = { table: 'auth_share', row: '1', owner: 'ann' }
const masterKey = (id: string) => ({ id, key: randomBytes(32) })

describe('a sealed secret', () => {
  test('sealing returns a different ciphertext each time, and each opens in its row', () => {
    const encryption = createKeyEncryption([masterKey('one')])
    const secret = randomBytes(48)
    const sealed = encryption.seal(place, secret)
    expect(encryption.open(place, sealed)).toEqual({ secret, isOutdated: false })
    expect(encryption.seal(place, secret)).not.toEqual(sealed)
    expect(sealed.includes(secret)).toBe(false)
  })

  test.each([
    { ...place, row: '2' },
    { ...place, owner: 'ben' },
    { ...place, table: 'recovery_share' },
    { table: 'auth_share', row: '1","ann', owner: '' },
  ])('a sealed secret does not open at another place: %o [K-06]', (other) => {
    const encryption = createKeyEncryption([masterKey('one')])
    const sealed = encryption.seal(place, Buffer.from('secret'))
    expect(() => encryption.open(other, sealed)).toThrow('belongs to another row')
  })

  test('a sealed secret does not open with a changed byte or truncated', () => {
    const encryption = createKeyEncryption([masterKey('one')])
    const sealed = encryption.seal(place, Buffer.from('secret'))
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed.map((byte, each) => (each === at ? byte ^ 0x41 : byte)))
      expect(() => encryption.open(place, changed), `byte ${at}`).toThrow(/sealed|secret/)
      expect(() => encryption.open(place, sealed.subarray(0, at)), `cut at ${at}`).toThrow(/sealed|secret/)
    }
  })

  test('a sealed secret opens after key rotation and is marked old, and does not open without its key [K-07]', () => {
    const [old, young] = [masterKey('old'), masterKey('young')]
    const sealed = createKeyEncryption([old]).seal(place, Buffer.from('secret'))
    const both = createKeyEncryption([young, old])
    expect(both.open(place, sealed)).toEqual({ secret: Buffer.from('secret'), isOutdated: true })
    expect(both.open(place, both.seal(place, Buffer.from('secret'))).isOutdated).toBe(false)
    expect(() => createKeyEncryption([young]).open(place, sealed)).toThrow('is missing')
  })

  test('key encryption rejects a key of another length and two keys with one id', () => {
    expect(() => createKeyEncryption([{ id: 'short', key: randomBytes(16) }])).toThrow(RangeError)
    expect(() => createKeyEncryption([masterKey('one'), masterKey('one')])).toThrow(RangeError)
  })
})

describe('a key file', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('the key file is created on the first start with owner-only permissions and read on the next [K-07]', async () => {
    const path = join(folder, 'new/auth.keys')
    const [made] = await readMasterKeys(path)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const [read] = await readMasterKeys(path)
    expect(Buffer.from(read.key).equals(made.key)).toBe(true)
  })

  test('several servers that start at once create one key file', async () => {
    const path = join(folder, 'together.keys')
    const read = await Promise.all(Array.from({ length: 5 }, () => readMasterKeys(path)))
    expect(new Set(read.map(([{ id }]) => id)).size).toBe(1)
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/^together.keys./))
  })

  test('a key file readable by others is rejected and not changed [K-07]', async () => {
    const path = join(folder, 'open.keys')
    await readMasterKeys(path)
    await chmod(path, 0o644)
    const before = await readFile(path, 'utf8')
    await expect(readMasterKeys(path)).rejects.toThrow('chmod 600')
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  test.each(['', '\n', 'one', 'one:abc', `one:${'g'.repeat(64)}`, `:${'a'.repeat(64)}`])(
    'a key file with the content %j is rejected without the content in the message, and not changed [K-07]',
    async (content) => {
      const path = join(folder, 'broken.keys')
      await writeFile(path, content, { mode: 0o600 })
      const failure = await readMasterKeys(path).catch((error: Error) => error.message)
      expect(failure).toMatch(/^(Key 1|There is no key) in the key file/)
      expect(failure).not.toContain('g'.repeat(64))
      expect(await readFile(path, 'utf8')).toBe(content)
    },
  )

  test('master keys are read from an environment variable, newest key first', () => {
    const keys = parseMasterKeys(`b:${'1'.repeat(64)}, a:${'2'.repeat(64)}`, 'AUTH_KEYS')
    expect(keys.map(({ id }) => id)).toEqual(['b', 'a'])
  })
})
