import { describe, expect, test } from 'vitest'
import {
  createRecoveryKey,
  openRecoveryShare,
  sealRecoveryShare,
  unwrapRecoveryKey,
  wrapRecoveryKey,
} from './recovery.ts'
import { createEntropy } from './seed.ts'
import { createShareSet, createWalletKey, joinShares, splitKey } from './split.ts'
import { openVault, sealVault } from './vault.ts'

const walletId = new Uint8Array(16).fill(7)
const place = { walletId, epoch: 3 }
const unreadable = expect.objectContaining({ code: 'custody/unreadable' })

describe('a vault', () => {
  test('opens with its key, and is another text each time it is sealed', async () => {
    const walletKey = createWalletKey()
    const content = { entropy: createEntropy(), createdAt: 1_790_000_000_000 }
    const sealed = await sealVault(walletKey, place, content)
    expect(await openVault(walletKey, place, sealed)).toEqual(content)
    expect(await sealVault(walletKey, place, content)).not.toEqual(sealed)
    expect(Buffer.from(sealed).includes(Buffer.from(content.entropy))).toBe(false)
  })

  test('does not open with another key, as another wallet, or as another epoch’s [K-06] [K-08]', async () => {
    const walletKey = createWalletKey()
    const sealed = await sealVault(walletKey, place, { entropy: createEntropy(), createdAt: 0 })
    await expect(openVault(createWalletKey(), place, sealed)).rejects.toEqual(unreadable)
    await expect(openVault(walletKey, { ...place, epoch: 4 }, sealed)).rejects.toEqual(unreadable)
    await expect(openVault(walletKey, { ...place, walletId: new Uint8Array(16) }, sealed)).rejects.toEqual(unreadable)
  })

  test.each([0, 11, 12, 40])('that was changed at byte %s, or cut there, does not open', async (at) => {
    const walletKey = createWalletKey()
    const sealed = await sealVault(walletKey, place, { entropy: createEntropy(), createdAt: 0 })
    await expect(openVault(walletKey, place, sealed.subarray(0, at))).rejects.toEqual(unreadable)
    const changed = sealed.map((byte, each) => (each === at ? byte ^ 1 : byte))
    await expect(openVault(walletKey, place, changed)).rejects.toEqual(unreadable)
  })
})

describe('recovery', () => {
  test('rebuilds the wallet key from what the two services keep, by any method [K-03]', async () => {
    const walletKey = createWalletKey()
    const set = createShareSet(place)
    const { auth, recovery } = await splitKey(walletKey, set)
    const recoveryKey = createRecoveryKey()
    const stored = await sealRecoveryShare(recoveryKey, recovery)
    for (const method of ['auto', 'password', 'passkey'] as const) {
      const methodKey = crypto.getRandomValues(new Uint8Array(32))
      const wrapped = await wrapRecoveryKey(methodKey, { walletId, method }, recoveryKey)
      const opened = await unwrapRecoveryKey(methodKey, { walletId, method }, wrapped)
      expect(await joinShares(await openRecoveryShare(opened, set, stored), auth)).toEqual(walletKey)
    }
  })

  test('does not open by another way, for another wallet, or with another password', async () => {
    const methodKey = crypto.getRandomValues(new Uint8Array(32))
    const wrapped = await wrapRecoveryKey(methodKey, { walletId, method: 'password' }, createRecoveryKey())
    await expect(unwrapRecoveryKey(methodKey, { walletId, method: 'auto' }, wrapped)).rejects.toEqual(unreadable)
    const elsewhere = { walletId: new Uint8Array(16), method: 'password' } as const
    await expect(unwrapRecoveryKey(methodKey, elsewhere, wrapped)).rejects.toEqual(unreadable)
    const other = crypto.getRandomValues(new Uint8Array(32))
    await expect(unwrapRecoveryKey(other, { walletId, method: 'password' }, wrapped)).rejects.toEqual(unreadable)
  })

  test('takes no part that another service keeps, and none of another enrolment [K-06]', async () => {
    const set = createShareSet(place)
    const { auth, recovery } = await splitKey(createWalletKey(), set)
    const recoveryKey = createRecoveryKey()
    expect(() => sealRecoveryShare(recoveryKey, auth)).toThrow(
      expect.objectContaining({ code: 'custody/invalid-share' }),
    )
    const stored = await sealRecoveryShare(recoveryKey, recovery)
    await expect(openRecoveryShare(recoveryKey, createShareSet(place), stored)).rejects.toEqual(unreadable)
  })
})
