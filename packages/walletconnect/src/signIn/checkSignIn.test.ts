import type { AccountId } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { authPayloadOf, type AuthPayload } from './authPayload.ts'
import { createCacao, formatSignInMessage, type Cacao, type SignatureType } from './cacao.ts'
import { checkSignIn } from './checkSignIn.ts'
import { signerFrom } from '../testing/signer.ts'

const signer = signerFrom(new Uint8Array(32).fill(7))
const account: AccountId = `eip155:1:${signer.address}`
const now = Date.UTC(2026, 0, 1)
const asked = authPayloadOf(
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

/** A sign-in as a wallet would sign it, whatever it says. */
const signed = (payload: AuthPayload = asked, by = account, type?: SignatureType): Cacao =>
  createCacao(payload, by, signer.sign(formatSignInMessage(payload, by)), type)

const fault = (reason: string) => expect.objectContaining({ code: 'session/invalid', context: { reason } })
const because = (reason: string) => fault(`the sign-in cannot be accepted: ${reason}`)

describe('a sign-in', () => {
  test('counts when it is signed by its signer and says what was asked for', async () => {
    await expect(checkSignIn([signed()], asked, now)).resolves.toBeUndefined()
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
  ])('is refused when its %s is %s, however well it is signed', async (name, value) => {
    const check = checkSignIn([signed({ ...asked, [name]: value })], asked, now)
    await expect(check).rejects.toEqual(because(`its ${name} is not the one that was asked for`))
  })

  test('is refused on a chain that was not asked for', async () => {
    const check = checkSignIn([signed(asked, `eip155:137:${signer.address}`)], asked, now)
    await expect(check).rejects.toEqual(because('its chain was not asked for'))
  })

  test('is refused before and after its time', async () => {
    const before = checkSignIn([signed()], asked, now - 1)
    await expect(before).rejects.toEqual(because('it does not count yet'))
    const after = checkSignIn([signed()], asked, Date.UTC(2026, 0, 2))
    await expect(after).rejects.toEqual(because('it has expired'))
    const never = { ...asked, exp: 'never' }
    await expect(checkSignIn([signed(never)], never, now)).rejects.toEqual(because('it has expired'))
  })

  test('is refused when somebody else signed it, or it was changed afterwards', async () => {
    const { p, ...others } = signed()
    const stolen = { ...others, p: { ...p, iss: `did:pkh:eip155:1:0x${'11'.repeat(20)}` } }
    await expect(checkSignIn([stolen], asked, now)).rejects.toEqual(because('a signature does not verify'))
    const changed = { ...others, p: { ...p, statement: 'I owe you a house.' } }
    await expect(checkSignIn([changed], asked, now)).rejects.toEqual(because('a signature does not verify'))
  })

  test('is refused when one signature of several is wrong, when there is none, and when there are too many', async () => {
    const forged = createCacao(asked, account, signer.sign('something else'))
    await expect(checkSignIn([signed(), forged], asked, now)).rejects.toEqual(because('a signature does not verify'))
    await expect(checkSignIn([], asked, now)).rejects.toEqual(because('it has no signature'))
    const many = Array.from({ length: 11 }, () => signed())
    await expect(checkSignIn(many, asked, now)).rejects.toEqual(because('it has more signatures than were asked for'))
  })
})

describe('a sign-in of a contract', () => {
  const byContract = signed(asked, account, 'eip1271')

  test('counts when its chain says so', async () => {
    const checks: unknown[] = []
    await checkSignIn([byContract], asked, now, async (check) => checks.push(check) === 1)
    const message = formatSignInMessage(asked, account)
    expect(checks).toEqual([{ chainId: 'eip155:1', address: signer.address, message, signature: byContract.s.s }])
  })

  test.each(['eip1271', 'eip6492'] as const)('is refused when nobody can ask its chain: %s', async (type) => {
    const check = checkSignIn([signed(asked, account, type)], asked, now)
    const reason = 'it is signed by a contract, and this app passes no verifyContract to check that'
    await expect(check).rejects.toEqual(because(reason))
  })

  test('is refused when its chain denies it, or does not answer', async () => {
    const denied = checkSignIn([byContract], asked, now, async () => false)
    await expect(denied).rejects.toEqual(because('a signature does not verify'))
    const cause = new Error('no answer')
    const unasked = checkSignIn([byContract], asked, now, () => Promise.reject(cause))
    await expect(unasked).rejects.toEqual(because('the contract that signed it could not be asked'))
    await expect(unasked).rejects.toHaveProperty('cause', cause)
  })

  test('is refused when nobody knows how it is signed', async () => {
    const { s, ...others } = signed()
    const check = checkSignIn([{ ...others, s: { ...s, t: 'rot13' } }], asked, now, async () => true)
    await expect(check).rejects.toEqual(because('a signature is of a kind that is not known here'))
  })
})
