import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { trackCopies } from '../testing/trackCopies.ts'
import type { StretchPassword } from './passwordKey.ts'
import { openRecoveryFile, writeRecoveryFile } from './recoveryFile.ts'
import { sealVault } from './sealVault.ts'
import { createKeyShareSet, createWalletKey, splitKey } from './splitKey.ts'

/** Fast. The real one is tested with the offline page. */
const stretchQuickly: StretchPassword = async (input, salt) => sha256(concatBytes(input, salt))
const password = 'four calm herons'
const entropy = Uint8Array.from({ length: 16 }, (_, at) => at)

async function createSealedWallet() {
  const walletKey = createWalletKey()
  const place = { walletId: new Uint8Array(16).fill(7), epoch: 3 }
  const shares = await splitKey(walletKey, createKeyShareSet(place))
  return { shares, vault: await sealVault(walletKey, place, { entropy, createdAt: 1 }) }
}

async function fileOf(): Promise<string> {
  const { shares, vault } = await createSealedWallet()
  return writeRecoveryFile(
    { shares: [shares.device, shares.auth], vault },
    { password, now: 0, stretch: stretchQuickly },
  )
}

test('a recovery file opens the wallet with its password [S-12]', async () => {
  const file = await fileOf()
  expect(await openRecoveryFile(file, { password, stretch: stretchQuickly })).toEqual(entropy)
  expect(Object.keys(JSON.parse(file))).toEqual(['format', 'version', 'createdAt', 'kdf', 'sealed'])
})

test('every two shares make a recovery file [S-12]', async () => {
  const { shares, vault } = await createSealedWallet()
  const file = await writeRecoveryFile(
    { shares: [shares.auth, shares.recovery], vault },
    { password, now: 0, stretch: stretchQuickly },
  )
  expect(await openRecoveryFile(file, { password, stretch: stretchQuickly })).toEqual(entropy)
})

test('the same password in another Unicode form opens the file [S-12]', async () => {
  const { shares, vault } = await createSealedWallet()
  const content = { shares: [shares.device, shares.auth], vault } as const
  const file = await writeRecoveryFile(content, { password: 'caf\u00e9 au lait', now: 0, stretch: stretchQuickly })
  expect(await openRecoveryFile(file, { password: 'cafe\u0301 au lait', stretch: stretchQuickly })).toEqual(entropy)
})

test('a wrong password is rejected [S-12]', async () => {
  await expect(
    openRecoveryFile(await fileOf(), { password: 'four calm heron', stretch: stretchQuickly }),
  ).rejects.toMatchObject({
    code: 'custody/unreadable',
  })
})

test('the file contains no share and no vault in the clear [S-12]', async () => {
  const { shares, vault } = await createSealedWallet()
  const file = await writeRecoveryFile(
    { shares: [shares.device, shares.auth], vault },
    { password, now: 0, stretch: stretchQuickly },
  )
  for (const secret of [shares.device.values, shares.auth.values, vault, entropy, new TextEncoder().encode(password)]) {
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(file).not.toContain(Buffer.from(secret).toString(form).slice(0, 12))
    }
  }
})

test('writing and opening a file leave no copy of shares, password or file key [S-12]', async () => {
  const { shares, vault } = await createSealedWallet()
  const bytes = new TextEncoder().encode(password)
  const copies = trackCopies()
  const keys: Uint8Array[] = []
  const stretch: StretchPassword = async (input, salt) => {
    const mixed = concatBytes(input, salt)
    const key = sha256(mixed)
    mixed.fill(0)
    keys.push(Buffer.from(key))
    return key
  }
  const content = { shares: [shares.device, shares.auth], vault } as const
  const file = await writeRecoveryFile(content, { password, now: 0, stretch })
  const opened = await openRecoveryFile(file, { password, stretch })
  opened?.fill(0)
  expect(keys).toHaveLength(2)
  expect([shares.device.values, shares.auth.values, bytes, ...keys].map(copies)).toEqual([0, 0, 0, 0, 0])
})

test('a changed file is refused in each of its parts [S-12]', async () => {
  const file = JSON.parse(await fileOf())
  const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
  const changed = [
    { ...file, createdAt: '2020-01-01T00:00:00.000Z' },
    { ...file, sealed: flipped(file.sealed) },
    { ...file, kdf: { ...file.kdf, salt: flipped(file.kdf.salt) } },
  ]
  for (const each of changed) {
    await expect(openRecoveryFile(JSON.stringify(each), { password, stretch: stretchQuickly })).rejects.toMatchObject({
      code: 'custody/unreadable',
    })
  }
})

test('a file with too low or too high key-derivation cost is rejected [S-12]', async () => {
  const file = JSON.parse(await fileOf())
  for (const cost of [{ iterations: 1 }, { memoryKiB: 8 }, { memoryKiB: 2 ** 31 }, { name: 'none' }]) {
    const text = JSON.stringify({ ...file, kdf: { ...file.kdf, ...cost } })
    expect(await openRecoveryFile(text, { password, stretch: stretchQuickly })).toBeUndefined()
  }
})

test('a file with any invalid field is rejected [S-12]', async () => {
  const file = JSON.parse(await fileOf())
  const others = [
    { format: 'other' },
    { version: 2 },
    { createdAt: 7 },
    { sealed: 7 },
    { sealed: '!' },
    { kdf: 'argon2id' },
    { kdf: { ...file.kdf, salt: 7 } },
    { kdf: { ...file.kdf, salt: 'AA' } },
    { kdf: { ...file.kdf, parallelism: 2 } },
    { kdf: {} },
  ]
  for (const change of others) {
    expect(
      await openRecoveryFile(JSON.stringify({ ...file, ...change }), { password, stretch: stretchQuickly }),
    ).toBeUndefined()
  }
})

test('a file is read up to 16,384 characters [S-12]', async () => {
  const file = await fileOf()
  expect(await openRecoveryFile(file.padEnd(16_384), { password, stretch: stretchQuickly })).toEqual(entropy)
  expect(await openRecoveryFile(file.padEnd(16_385), { password, stretch: stretchQuickly })).toBeUndefined()
})

test('neither the password nor its key stays in memory [S-12]', async () => {
  const { shares, vault } = await createSealedWallet()
  const seen: Uint8Array[] = []
  const watched: StretchPassword = async (input, salt) => {
    const key = await stretchQuickly(input, salt)
    seen.push(input, key)
    return key
  }
  const content = { shares: [shares.device, shares.auth], vault } as const
  const file = await writeRecoveryFile(content, { password, now: 0, stretch: watched })
  await openRecoveryFile(file, { password, stretch: watched })
  await openRecoveryFile(file, { password: 'wrong', stretch: watched }).catch(() => undefined)
  expect(seen).toHaveLength(6)
  for (const bytes of seen) expect(bytes.every((byte) => byte === 0)).toBe(true)
})

test.each(['', 'null', '[]', '{}', '{"format":"latchkey recovery file","version":2}', ' '.repeat(20_000)])(
  'the text %j is not a recovery file',
  async (text) => {
    expect(await openRecoveryFile(text, { password, stretch: stretchQuickly })).toBeUndefined()
  },
)
