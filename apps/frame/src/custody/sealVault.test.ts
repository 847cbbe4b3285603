import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { trackCopies } from '../testing/trackCopies.ts'
import {
  createRecoveryKey,
  openRecoveryKeyShare,
  sealRecoveryKeyShare,
  unwrapRecoveryKey,
  wrapRecoveryKey,
} from './recoveryMethod.ts'
import { createEntropy } from './walletKeys.ts'
import { createKeyShareSet, createWalletKey, joinKeyShares, splitKey } from './splitKey.ts'
import { openVault, sealVault } from './sealVault.ts'

const walletId = new Uint8Array(16).fill(7)
const place = { walletId, epoch: 3 }
const unreadable = expect.objectContaining({ code: 'custody/unreadable' })

describe('a vault', () => {
  test('opens with its key, and each sealing differs', async () => {
    const walletKey = createWalletKey()
    const content = { entropy: createEntropy(), createdAt: 1_790_000_000_000 }
    const sealed = await sealVault(walletKey, place, content)
    expect(await openVault(walletKey, place, sealed)).toEqual(content)
    expect(await sealVault(walletKey, place, content)).not.toEqual(sealed)
    expect(Buffer.from(sealed).includes(Buffer.from(content.entropy))).toBe(false)
  })

  test('does not open with another key, wallet or epoch [K-06] [K-08]', async () => {
    const walletKey = createWalletKey()
    const sealed = await sealVault(walletKey, place, { entropy: createEntropy(), createdAt: 0 })
    await expect(openVault(createWalletKey(), place, sealed)).rejects.toEqual(unreadable)
    await expect(openVault(walletKey, { ...place, epoch: 4 }, sealed)).rejects.toEqual(unreadable)
    await expect(openVault(walletKey, { ...place, walletId: new Uint8Array(16) }, sealed)).rejects.toEqual(unreadable)
  })

  test.each([0, 11, 12, 40])('changed or truncated at byte %s does not open', async (at) => {
    const walletKey = createWalletKey()
    const sealed = await sealVault(walletKey, place, { entropy: createEntropy(), createdAt: 0 })
    await expect(openVault(walletKey, place, sealed.subarray(0, at))).rejects.toEqual(unreadable)
    const changed = sealed.map((byte, each) => (each === at ? byte ^ 1 : byte))
    await expect(openVault(walletKey, place, changed)).rejects.toEqual(unreadable)
  })
})

describe('recovery', () => {
  test('rebuilds the wallet key from both services with any method [K-03]', async () => {
    const walletKey = createWalletKey()
    const set = createKeyShareSet(place)
    const { auth, recovery } = await splitKey(walletKey, set)
    const recoveryKey = createRecoveryKey()
    const stored = await sealRecoveryKeyShare(recoveryKey, recovery)
    for (const method of ['auto', 'password', 'passkey'] as const) {
      const methodKey = crypto.getRandomValues(new Uint8Array(32))
      const wrapped = await wrapRecoveryKey(methodKey, { walletId, method }, recoveryKey)
      const opened = await unwrapRecoveryKey(methodKey, { walletId, method }, wrapped)
      expect(await joinKeyShares(await openRecoveryKeyShare(opened, set, stored), auth)).toEqual(walletKey)
    }
  })

  test('does not open with another method, wallet or password', async () => {
    const methodKey = crypto.getRandomValues(new Uint8Array(32))
    const wrapped = await wrapRecoveryKey(methodKey, { walletId, method: 'password' }, createRecoveryKey())
    await expect(unwrapRecoveryKey(methodKey, { walletId, method: 'auto' }, wrapped)).rejects.toEqual(unreadable)
    const elsewhere = { walletId: new Uint8Array(16), method: 'password' } as const
    await expect(unwrapRecoveryKey(methodKey, elsewhere, wrapped)).rejects.toEqual(unreadable)
    const other = crypto.getRandomValues(new Uint8Array(32))
    await expect(unwrapRecoveryKey(other, { walletId, method: 'password' }, wrapped)).rejects.toEqual(unreadable)
  })

  test('refuses shares of other roles and enrolments [K-06]', async () => {
    const set = createKeyShareSet(place)
    const { auth, recovery } = await splitKey(createWalletKey(), set)
    const recoveryKey = createRecoveryKey()
    await expect(sealRecoveryKeyShare(recoveryKey, auth)).rejects.toMatchObject({ code: 'custody/invalid-share' })
    const stored = await sealRecoveryKeyShare(recoveryKey, recovery)
    await expect(openRecoveryKeyShare(recoveryKey, createKeyShareSet(place), stored)).rejects.toEqual(unreadable)
  })
})

describe('sealing', () => {
  test('leaves no copy of entropy, recovery share, recovery key or the derived keys', async () => {
    const { recovery } = await splitKey(createWalletKey(), createKeyShareSet(place))
    const [sealKey, recoveryKey, entropy] = [createWalletKey(), createRecoveryKey(), createEntropy()]
    const derived = (['vault', 'share', 'recovery-key'] as const).map((purpose) =>
      hkdf(sha256, sealKey, undefined, utf8ToBytes(`latchkey/${purpose}/1`), 32),
    )
    const copies = trackCopies()
    await sealVault(sealKey, place, { entropy, createdAt: 1 })
    await sealRecoveryKeyShare(sealKey, recovery)
    await wrapRecoveryKey(sealKey, { walletId, method: 'auto' }, recoveryKey)
    expect([entropy, recovery.values, recoveryKey, ...derived].map(copies)).toEqual([0, 0, 0, 0, 0, 0])
  })
})
