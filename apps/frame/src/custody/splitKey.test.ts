import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeKeyShare, encodeKeyShare, keyShareBytes, wipeKeyShares, type KeyShare } from './keyShare.ts'
import { createKeyShareSet, createWalletKey, joinKeyShares, splitKey } from './splitKey.ts'

const walletId = new Uint8Array(16).fill(7)
const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const pairs = [
  ['device', 'auth'],
  ['auth', 'device'],
  ['device', 'recovery'],
  ['recovery', 'device'],
  ['auth', 'recovery'],
  ['recovery', 'auth'],
] as const

const splitNewKey = async (epoch = 1) => {
  const walletKey = createWalletKey()
  return { walletKey, shares: await splitKey(walletKey, createKeyShareSet({ walletId, epoch })) }
}
const matchError = (code: string) => expect.objectContaining({ code })

describe('a wallet key', () => {
  test('is rebuilt by any two of its three shares in any order [K-01]', async () => {
    await fc.assert(
      fc.asyncProperty(key, fc.constantFrom(...pairs), async (walletKey, [one, other]) => {
        const shares = await splitKey(walletKey, createKeyShareSet({ walletId, epoch: 1 }))
        expect(await joinKeyShares(shares[one], shares[other])).toEqual(Uint8Array.from(walletKey))
      }),
      { numRuns: 1_000 },
    )
  })

  test('is not rebuilt from one share, given once or twice [K-01]', async () => {
    const { shares } = await splitNewKey()
    await expect(joinKeyShares(shares.auth, shares.auth)).rejects.toEqual(matchError('custody/mismatch'))
    await expect(joinKeyShares(shares.auth, { ...shares.auth, role: 'device' })).rejects.toEqual(
      matchError('custody/mismatch'),
    )
  })

  test('of another length is not split', async () => {
    await expect(splitKey(new Uint8Array(31), createKeyShareSet({ walletId, epoch: 1 }))).rejects.toEqual(
      matchError('custody/invalid-share'),
    )
  })
})

describe('a key share', () => {
  test('round-trips through its encoding, including from a Node buffer [K-02]', async () => {
    const { walletKey, shares } = await splitNewKey(4_000_000_000)
    const again = (share: KeyShare): KeyShare => decodeKeyShare(Buffer.from(encodeKeyShare(share)))
    expect(again(shares.device)).toEqual(shares.device)
    expect(await joinKeyShares(again(shares.device), again(shares.auth))).toEqual(walletKey)
  })

  test('with a flipped bit is refused before a key is rebuilt [K-02]', async () => {
    const { shares } = await splitNewKey()
    const bytes = encodeKeyShare(shares.device)
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      const joined = Promise.resolve().then(() => joinKeyShares(decodeKeyShare(changed), shares.auth))
      await expect(joined, `bit ${bit}`).rejects.toEqual(expect.objectContaining({ name: 'LatchkeyError' }))
    }
  })

  test.each([0, 1, keyShareBytes - 1, keyShareBytes + 1, 4096])('is refused with %s bytes [K-02]', (length) => {
    expect(() => decodeKeyShare(new Uint8Array(length))).toThrow(matchError('custody/invalid-share'))
  })

  test('with x coordinate zero is refused, because it would be the key itself [K-02]', async () => {
    const { shares } = await splitNewKey()
    const bytes = encodeKeyShare(shares.device)
    bytes[bytes.length - 1] = 0
    expect(() => decodeKeyShare(bytes)).toThrow(matchError('custody/invalid-share'))
  })

  test('of another wallet, device or epoch is refused [K-02]', async () => {
    const { walletKey, shares } = await splitNewKey()
    const others = await Promise.all([
      splitKey(walletKey, createKeyShareSet({ walletId: new Uint8Array(16).fill(8), epoch: 1 })),
      splitKey(walletKey, createKeyShareSet({ walletId, epoch: 1 })),
      splitKey(walletKey, { ...shares.device, epoch: 2 }),
    ])
    const reasons = ['they are of two wallets', 'they are of two devices', 'they are of two epochs']
    for (const [index, other] of others.entries()) {
      await expect(joinKeyShares(shares.device, other.auth)).rejects.toMatchObject({
        code: 'custody/mismatch',
        context: { reason: reasons[index] },
      })
    }
  })

  test('of the same role, or at the same point, is refused [K-02]', async () => {
    const { shares } = await splitNewKey()
    const reason = { context: { reason: 'they are the same share' } }
    const point = Uint8Array.from([...shares.auth.values.slice(0, 32), shares.device.values[32] ?? 0])
    await expect(joinKeyShares(shares.device, { ...shares.auth, values: point })).rejects.toMatchObject(reason)
    await expect(joinKeyShares(shares.device, { ...shares.auth, role: 'device' })).rejects.toMatchObject(reason)
  })

  test('with changed check bytes is refused, for each of the two [K-02]', async () => {
    const { shares } = await splitNewKey()
    const changed = { ...shares.auth, check: shares.auth.check.map((byte) => byte ^ 1) }
    const reason = { context: { reason: 'one of them was modified' } }
    await expect(joinKeyShares(shares.device, changed)).rejects.toMatchObject(reason)
    await expect(joinKeyShares(changed, shares.device)).rejects.toMatchObject(reason)
  })

  test.each([
    [0, 0, 'it is not a share'],
    [3, 0, 'it is not a share'],
    [4, 2, 'it is of another version'],
    [41, 0, 'its role is unknown'],
    [41, 4, 'its role is unknown'],
    [42, 3, 'it belongs to another kind of split'],
    [43, 2, 'it belongs to another kind of split'],
    [keyShareBytes - 1, 0, 'its point is zero'],
  ])('whose byte %i is %i is refused with the reason [K-02]', async (at, value, reason) => {
    const { shares } = await splitNewKey()
    const bytes = encodeKeyShare(shares.device)
    bytes[at] = value
    expect(() => decodeKeyShare(bytes)).toThrow(expect.objectContaining({ context: { reason } }))
  })

  test('has the documented layout', async () => {
    const { shares } = await splitNewKey(0x01020304)
    const bytes = encodeKeyShare(shares.recovery)
    expect(keyShareBytes).toBe(93)
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('WSS1')
    expect([...bytes.subarray(37, 44)]).toEqual([1, 2, 3, 4, 3, 2, 3])
    expect(decodeKeyShare(bytes)).toEqual(shares.recovery)
    expect(shares.recovery.check).toHaveLength(16)
  })

  test('that was forged yields no key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 33, maxLength: 33 }), async (values) => {
        const { shares } = await splitNewKey()
        values[32] = shares.auth.values[32] === 9 ? 10 : 9
        await expect(joinKeyShares({ ...shares.device, values }, shares.auth)).rejects.toEqual(
          matchError('custody/mismatch'),
        )
      }),
      { numRuns: 50 },
    )
  })
})

test('wipeKeyShares overwrites the secret part of each share, and skips missing ones', async () => {
  const { shares } = await splitNewKey()
  wipeKeyShares(shares.device, undefined, shares.auth)
  for (const { values } of [shares.device, shares.auth]) expect(values.every((byte) => byte === 0)).toBe(true)
  expect(shares.recovery.values.some((byte) => byte !== 0)).toBe(true)
})
