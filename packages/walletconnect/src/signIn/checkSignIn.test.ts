import type { AccountId } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { createAuthPayload, type AuthPayload } from './authPayload.ts'
import { createCacao, formatSignInMessage, type Cacao, type SignatureType } from './cacao.ts'
import { checkSignIn } from './checkSignIn.ts'
import { createTestSigner } from '../testing/testSigner.ts'

const signer = createTestSigner(new Uint8Array(32).fill(7))
const account: AccountId = `eip155:1:${signer.address}`
const now = Date.UTC(2026, 0, 1)
const requested = createAuthPayload(
  {
    domain: 'app.example',
    uri: 'https://app.example/login',
    nonce: 'abcdef0123456789',
    nbf: '2026-01-01T00:00:00Z',
    exp: '2026-01-02T00:00:00Z',
  },
  ['eip155:1'],
  [],
  now,
)

/** Signs any sign-in as a wallet would. */
const createSignedCacao = (payload: AuthPayload = requested, by = account, type?: SignatureType): Cacao =>
  createCacao(payload, by, signer.sign(formatSignInMessage(payload, by)), type)

const matchInvalidSession = (reason: string) =>
  expect.objectContaining({ code: 'session/invalid', context: { reason } })
const matchRejectedSignIn = (reason: string) => matchInvalidSession(`the sign-in cannot be accepted: ${reason}`)

describe('checkSignIn', () => {
  test('accepts a matching sign-in of its signer', async () => {
    await expect(checkSignIn([createSignedCacao()], requested, now)).resolves.toBeUndefined()
  })

  test.each([
    ['domain', 'evil.example'],
    ['aud', 'https://app.example/other'],
    ['version', '2'],
    ['nonce', 'ffffffffffffffff'],
    ['exp', '2026-01-03T00:00:00Z'],
    ['exp', undefined],
    ['nbf', '2025-01-01T00:00:00Z'],
    ['nbf', undefined],
  ])('refuses a signed sign-in if its %s is %s', async (name, value) => {
    const check = checkSignIn([createSignedCacao({ ...requested, [name]: value })], requested, now)
    await expect(check).rejects.toEqual(matchRejectedSignIn(`its ${name} differs from the request`))
  })

  test('refuses a chain that was not requested', async () => {
    const check = checkSignIn([createSignedCacao(requested, `eip155:137:${signer.address}`)], requested, now)
    await expect(check).rejects.toEqual(matchRejectedSignIn('its chain was not requested'))
  })

  test('refuses a sign-in before and after its validity', async () => {
    const before = checkSignIn([createSignedCacao()], requested, now - 1)
    await expect(before).rejects.toEqual(matchRejectedSignIn('it is not valid yet'))
    const after = checkSignIn([createSignedCacao()], requested, Date.UTC(2026, 0, 2))
    await expect(after).rejects.toEqual(matchRejectedSignIn('it has expired'))
    const never = { ...requested, exp: 'never' }
    await expect(checkSignIn([createSignedCacao(never)], never, now)).rejects.toEqual(
      matchRejectedSignIn('it has expired'),
    )
  })

  test('refuses a sign-in by another signer or with changed content', async () => {
    const { p, ...others } = createSignedCacao()
    const stolen = { ...others, p: { ...p, iss: `did:pkh:eip155:1:0x${'11'.repeat(20)}` } }
    await expect(checkSignIn([stolen], requested, now)).rejects.toEqual(
      matchRejectedSignIn('a signature does not verify'),
    )
    const changed = { ...others, p: { ...p, statement: 'You own my house.' } }
    await expect(checkSignIn([changed], requested, now)).rejects.toEqual(
      matchRejectedSignIn('a signature does not verify'),
    )
  })

  test('refuses one wrong signature of several, none, and too many', async () => {
    const forged = createCacao(requested, account, signer.sign('something else'))
    await expect(checkSignIn([createSignedCacao(), forged], requested, now)).rejects.toEqual(
      matchRejectedSignIn('a signature does not verify'),
    )
    await expect(checkSignIn([], requested, now)).rejects.toEqual(matchRejectedSignIn('it has no signature'))
    const many = Array.from({ length: 11 }, () => createSignedCacao())
    await expect(checkSignIn(many, requested, now)).rejects.toEqual(
      matchRejectedSignIn('there are more signatures than requested chains'),
    )
  })
})

describe('checkSignIn of a contract account', () => {
  const byContract = createSignedCacao(requested, account, 'eip1271')

  test('accepts a signature that the chain confirms', async () => {
    const checks: unknown[] = []
    await checkSignIn([byContract], requested, now, async (check) => checks.push(check) === 1)
    const message = formatSignInMessage(requested, account)
    expect(checks).toEqual([{ chainId: 'eip155:1', address: signer.address, message, signature: byContract.s.s }])
  })

  test.each(['eip1271', 'eip6492'] as const)('refuses a signature without verifyContract: %s', async (type) => {
    const check = checkSignIn([createSignedCacao(requested, account, type)], requested, now)
    const reason = 'a contract signed it, and this app has no verifyContract option'
    await expect(check).rejects.toEqual(matchRejectedSignIn(reason))
  })

  test('refuses a signature that the chain denies or does not verify', async () => {
    const denied = checkSignIn([byContract], requested, now, async () => false)
    await expect(denied).rejects.toEqual(matchRejectedSignIn('a signature does not verify'))
    const cause = new Error('no response')
    const unasked = checkSignIn([byContract], requested, now, () => Promise.reject(cause))
    await expect(unasked).rejects.toEqual(matchRejectedSignIn('the contract that signed it cannot be reached'))
    await expect(unasked).rejects.toHaveProperty('cause', cause)
  })

  test('refuses an unknown type of signature', async () => {
    const { s, ...others } = createSignedCacao()
    const check = checkSignIn([{ ...others, s: { ...s, t: 'rot13' } }], requested, now, async () => true)
    await expect(check).rejects.toEqual(matchRejectedSignIn('the type of a signature is unknown'))
  })
})
