import { createHash, hkdfSync } from 'node:crypto'
import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { isSameBytes } from './isSameBytes.ts'
import { decodeKeyShare } from './keyShare.ts'
import { passkeyInput, passkeyKey } from './passkeyKey.ts'
import { openRecoveryKeyShare, unwrapRecoveryKey } from './recoveryMethod.ts'
import { seal } from './seal.ts'
import { openVault } from './sealVault.ts'
import { joinKeyShares } from './splitKey.ts'

const createBytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)
const [walletKey, recoveryKey, methodKey] = [createBytes(32, 1), createBytes(32, 2), createBytes(32, 3)]
const [walletId, setId, entropy] = [createBytes(16, 4), createBytes(16, 5), createBytes(16, 6)]
const epoch = 3
const unreadable = expect.objectContaining({ code: 'custody/unreadable' })

/** Values that the services and devices of users store. Every version must open them. */
const stored = {
  device:
    '57535331010505050505050505050505050505050504040404040404040404040404040404000000030102034b3cf08911e54b614c611e2a642c15a66df9cc7e8aaaec869333fd2ab3f3ca5c60a19f9f83a9b8080815bce9e8b2dd493f',
  auth: '575353310105050505050505050505050505050505040404040404040404040404040404040000000302020393bb627e3db489eb669600aad103164a0371da937d09aee33c83f2c248a0952bfbbea2a206a3ff7a7ab87c4b2d2e86f47a',
  recovery:
    '69f296b959a9a98c70854149984096738ce6f7846c707c196aa3086166350b17ef75004ab8a13c5983b0f69d2a9539ff73bb37f6de9999cc6d36fe2ff93391daf8fd2ab631ceea8d16bbbcf467b78670fafb89f70f690a1d5637ad8efa1f0e031fb4fd528ead4f6bf19292937a210cdfadfa0848bc8e827c84',
  vault: '3aac93b5b81b9fac8fb5923d9f7592aaae26ac22b877a55e6b5662be07256ef2a8a899cc37f3f5a239a8fedc2e1e4f0126c3cfaf78',
  wraps: {
    password:
      '91a55448da6b54253a5c7ac2d124463cb1a67944bed0be1a2e8e5c487e9014be971bfb1eb80982ad8ff615693a30dc7da6440e05378ab47e2bcb5aff',
    passkey:
      '0837ace94cdfaae12ba9f1ca966c6481f9bd3915fa202e89af6249433e7728b1760a124c77fdd745c34cda0160cd40c3d5e820dcc1e93ecbbe916e91',
    auto: '6fcf2926f2955feacf7a837ae7b0935cef9d40839ed7775ab94f687b30437828bf88eba2e85f7732cb0abfa97696db007621ed7848cfb12b15a3db6a',
  },
}

describe('stored custody values of the first version', () => {
  test('rebuild the wallet key from each pair of shares [K-01]', async () => {
    const device = decodeKeyShare(hexToBytes(stored.device))
    const auth = decodeKeyShare(hexToBytes(stored.auth))
    const recovery = await openRecoveryKeyShare(recoveryKey, { setId, walletId, epoch }, hexToBytes(stored.recovery))
    expect([device.role, auth.role, recovery.role]).toEqual(['device', 'auth', 'recovery'])
    for (const [one, other] of [
      [device, auth],
      [auth, recovery],
      [recovery, device],
    ] as const) {
      expect(await joinKeyShares(one, other)).toEqual(walletKey)
    }
  })

  test('open the vault', async () => {
    const opened = await openVault(walletKey, { walletId, epoch }, hexToBytes(stored.vault))
    expect(opened).toEqual({ entropy, createdAt: 1_790_000_000_000 })
  })

  test.each(['auto', 'password', 'passkey'] as const)('unwrap the recovery key with the method %s', async (method) => {
    const wrapped = hexToBytes(stored.wraps[method])
    expect(await unwrapRecoveryKey(methodKey, { walletId, method }, wrapped)).toEqual(recoveryKey)
  })
})

describe('a sealed value of an unknown form', () => {
  const vaultHeader = Uint8Array.from([...new TextEncoder().encode('WSV1'), ...walletId, 0, 0, 0, epoch])
  const version1 = createBytes(25, 1)

  test.each([
    ['another version', version1.with(0, 2)],
    ['a shorter content', version1.slice(0, 24)],
    ['a longer content', Uint8Array.from([...version1, 0])],
  ])('is not a vault with %s, although its key is right', async (_, content) => {
    const sealed = await seal(walletKey, 'vault', vaultHeader, content)
    await expect(openVault(walletKey, { walletId, epoch }, sealed)).rejects.toEqual(unreadable)
  })

  test('is not a recovery key with another length, although its key is right', async () => {
    const header = Uint8Array.from([...new TextEncoder().encode('WSK1'), ...walletId, 2])
    const sealed = await seal(methodKey, 'recovery-key', header, createBytes(31, 1))
    await expect(unwrapRecoveryKey(methodKey, { walletId, method: 'password' }, sealed)).rejects.toEqual(unreadable)
  })

  test('opens for its own purpose only', async () => {
    const sealed = await seal(walletKey, 'share', vaultHeader, version1)
    await expect(openVault(walletKey, { walletId, epoch }, sealed)).rejects.toEqual(unreadable)
  })
})

describe('the key of a passkey [K-16]', () => {
  test('is derived as HKDF-SHA-256 with the credential as salt', () => {
    const expected = hkdfSync('sha256', createBytes(32, 7), createBytes(20, 8), 'latchkey/passkey-wrap/1', 32)
    expect(passkeyKey(createBytes(32, 7), createBytes(20, 8))).toEqual(new Uint8Array(expected))
  })

  test('has an input of its own for each wallet', () => {
    const expected = createHash('sha256').update('rek-wrap-v1').update(walletId).digest()
    expect(passkeyInput(walletId)).toEqual(new Uint8Array(expected))
  })

  test.each([0, 31, 33])('is refused with an output of %s bytes', (length) => {
    expect(() => passkeyKey(createBytes(length, 7), createBytes(20, 8))).toThrow(unreadable)
  })
})

test.each([
  [[], [], true],
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[1], [1, 0], false],
  [[1, 0], [1], false],
  [[0], [], false],
])('isSameBytes(%j, %j) is %s', (one, other, isSame) => {
  expect(isSameBytes(Uint8Array.from(one), Uint8Array.from(other))).toBe(isSame)
})
