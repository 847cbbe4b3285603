import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeShare, encodeShare, shareBytes, type Share } from './share.ts'
import { createShareSet, createWalletKey, joinShares, splitKey } from './split.ts'

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

const aSplit = async (epoch = 1) => {
  const walletKey = createWalletKey()
  return { walletKey, shares: await splitKey(walletKey, createShareSet({ walletId, epoch })) }
}
const refused = (code: string) => expect.objectContaining({ code })

describe('a wallet key', () => {
  test('is rebuilt by every two of its three parts, in any order [K-01]', async () => {
    await fc.assert(
      fc.asyncProperty(key, fc.constantFrom(...pairs), async (walletKey, [one, other]) => {
        const shares = await splitKey(walletKey, createShareSet({ walletId, epoch: 1 }))
        expect(await joinShares(shares[one], shares[other])).toEqual(Uint8Array.from(walletKey))
      }),
      { numRuns: 1_000 },
    )
  })

  test('is not rebuilt from one part, given once or twice [K-01]', async () => {
    const { shares } = await aSplit()
    await expect(joinShares(shares.auth, shares.auth)).rejects.toEqual(refused('custody/mismatch'))
    await expect(joinShares(shares.auth, { ...shares.auth, role: 'device' })).rejects.toEqual(
      refused('custody/mismatch'),
    )
  })

  test('of another length is not split', async () => {
    await expect(splitKey(new Uint8Array(31), createShareSet({ walletId, epoch: 1 }))).rejects.toEqual(
      refused('custody/invalid-share'),
    )
  })
})

describe('a part of a wallet key', () => {
  test('is read as it was written, from a buffer of Node as well [K-02]', async () => {
    const { walletKey, shares } = await aSplit(4_000_000_000)
    const again = (share: Share): Share => decodeShare(Buffer.from(encodeShare(share)))
    expect(again(shares.device)).toEqual(shares.device)
    expect(await joinShares(again(shares.device), again(shares.auth))).toEqual(walletKey)
  })

  test('with any bit changed is refused before a key is made of it [K-02]', async () => {
    const { shares } = await aSplit()
    const bytes = encodeShare(shares.device)
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      const joined = Promise.resolve().then(() => joinShares(decodeShare(changed), shares.auth))
      await expect(joined, `bit ${bit}`).rejects.toEqual(expect.objectContaining({ name: 'LatchkeyError' }))
    }
  })

  test.each([0, 1, shareBytes - 1, shareBytes + 1, 4096])('is not read from %s bytes [K-02]', (length) => {
    expect(() => decodeShare(new Uint8Array(length))).toThrow(refused('custody/invalid-share'))
  })

  test('at point zero is refused: it would be the key itself [K-02]', async () => {
    const { shares } = await aSplit()
    const bytes = encodeShare(shares.device)
    bytes[bytes.length - 1] = 0
    expect(() => decodeShare(bytes)).toThrow(refused('custody/invalid-share'))
  })

  test('of another wallet, device or epoch is refused [K-02]', async () => {
    const { walletKey, shares } = await aSplit()
    const others = await Promise.all([
      splitKey(walletKey, createShareSet({ walletId: new Uint8Array(16).fill(8), epoch: 1 })),
      splitKey(walletKey, createShareSet({ walletId, epoch: 1 })),
      splitKey(walletKey, { ...shares.device, epoch: 2 }),
    ])
    for (const other of others) {
      await expect(joinShares(shares.device, other.auth)).rejects.toEqual(refused('custody/mismatch'))
    }
  })

  test('that was made up by somebody gives no key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 33, maxLength: 33 }), async (values) => {
        const { shares } = await aSplit()
        values[32] = shares.auth.values[32] === 9 ? 10 : 9
        await expect(joinShares({ ...shares.device, values }, shares.auth)).rejects.toEqual(refused('custody/mismatch'))
      }),
      { numRuns: 50 },
    )
  })
})
