import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createUsers } from '../../auth/login/users.ts'
import { createPasskeys, type PasskeyAssertion, type Passkeys } from './passkeys.ts'

const now = Date.UTC(2026, 10, 23)
const clock = { now: () => now }
const origin = 'http://wallet.localhost:4605'
const device = 'laptop'
const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' })
const id = randomBytes(20)

let place: TestPostgres
let database: Database
let passkeys: Passkeys
let user: string

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  const tables = { passkeys: 'auth_passkey', challenges: 'auth_challenge' } as const
  passkeys = createPasskeys({ database: database.kysely, clock, tables, frameUrl: () => `${origin}/` })
  const keeper = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption: keeper })
  const users = createUsers({ database: database.kysely, clock, secrets })
  user = (await users.findOrCreateByMailbox(Buffer.from('ann'), 'ann@example.org')).id
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const hashData = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const rpId = hashData('wallet.localhost')
const flags = Buffer.of(0b101, 0, 0, 0, 1)
const repeat = (byte: number, times: number): Buffer => Buffer.alloc(times, byte)
const requestChallenge = async (): Promise<string> =>
  Buffer.from(await passkeys.createChallenge(user, device)).toString('base64url')

/** Creates an assertion over any bytes, signed with the right key. */
function createAssertion(
  clientData: Buffer | string,
  authenticatorData: Buffer = Buffer.concat([rpId, flags]),
): PasskeyAssertion {
  const clientDataJSON = Buffer.from(clientData)
  const text = Buffer.concat([authenticatorData, hashData(clientDataJSON)])
  return { id, authenticatorData, clientDataJSON, signature: sign('sha256', text, pair.privateKey) }
}

describe('a passkey', () => {
  const brokenKeys: Array<[string, Uint8Array]> = [
    ['cut short anywhere', publicKey.subarray(0, 40)],
    ['of no bytes', Buffer.alloc(0)],
    // COSE_Key (RFC 9053): a map of five entries, and the encodings that CTAP2 forbids.
    ['as CBOR', Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), publicKey.subarray(-64, -32)])],
    ['as CBOR with maps of no stated length', Buffer.from('bf0102032620012158ff', 'hex')],
    ['with a thousand nested lists of CBOR', Buffer.concat([repeat(0x81, 1_000), Buffer.of(0)])],
    ['with a thousand nested sequences', repeat(0x30, 1_000)],
    ['with sequences of no stated length', Buffer.concat([Buffer.of(0x30, 0x80), publicKey.subarray(2)])],
    ['with a length beyond its end', Buffer.concat([Buffer.of(0x30, 0x84, 0x7f, 0xff, 0xff, 0xff), publicKey])],
    ['with a wrong tag', Buffer.concat([Buffer.of(0x31), publicKey.subarray(1)])],
    [
      'whose point is not on the curve',
      Buffer.concat([publicKey.subarray(0, -1), Buffer.of((publicKey.at(-1) ?? 0) ^ 1)]),
    ],
    ['without a point', Buffer.concat([publicKey.subarray(0, -65), Buffer.of(0)])],
    ...(['secp256k1', 'secp384r1'] as const).map((namedCurve): [string, Uint8Array] => [
      `of the curve ${namedCurve}`,
      generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'der', type: 'spki' }),
    ]),
    ['of Ed25519', generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' })],
  ]

  test.each(brokenKeys)('with a key %s is not registered [G-08]', async (_what, broken) => {
    await expect(passkeys.add(user, { id, publicKey: broken })).rejects.toMatchObject({
      status: 400,
      field: 'publicKey',
    })
  })

  test('with a key cut off at any length is not registered [G-08]', async () => {
    for (let length = 0; length < publicKey.length; length += 1) {
      const adding = passkeys.add(user, { id, publicKey: publicKey.subarray(0, length) })
      await expect(adding).rejects.toMatchObject({ status: 400, field: 'publicKey' })
    }
    const { rows } = await sql`select from auth_passkey`.execute(database.kysely)
    expect(rows).toEqual([])
  })

  test('beyond the largest number of an account is not registered', async () => {
    const ids = Array.from({ length: 16 }, (_, index) => Buffer.of(index))
    for (const each of ids) await passkeys.add(user, { id: each, publicKey })
    await expect(passkeys.add(user, { id, publicKey })).rejects.toMatchObject({ status: 429, field: 'id' })
    expect(await passkeys.list(user)).toEqual(ids)
    for (const each of ids) await passkeys.remove(user, each)
    expect(await passkeys.list(user)).toEqual([])
  })
})

describe('an assertion of a registered passkey', () => {
  beforeAll(() => passkeys.add(user, { id, publicKey }))

  const refusal = { status: 401, field: 'passkey' }
  const good = async (): Promise<string> =>
    JSON.stringify({ type: 'webauthn.get', challenge: await requestChallenge(), origin, crossOrigin: true })

  test('is accepted, even with client data members added by later specifications', async () => {
    await expect(passkeys.verify(user, device, createAssertion(await good()))).resolves.toBeUndefined()
  })

  test('is accepted in the frame of any page, which browsers name as the top origin', async () => {
    const text = (await good()).replace('}', ',"topOrigin":"https://app.example.org"}')
    await expect(passkeys.verify(user, device, createAssertion(text))).resolves.toBeUndefined()
  })

  test('is rejected if its challenge lacks the prefix of its device, or has that of another one', async () => {
    const prefixOf = (key: string): Buffer => hashData(`device ${key}`)
    const tables = { passkeys: 'auth_passkey', challenges: 'auth_challenge' } as const
    const given = { database: database.kysely, clock, tables, frameUrl: () => origin, challengePrefix: prefixOf }
    const prefixed = createPasskeys(given)
    const verify = (prefix: Uint8Array, challenge: Uint8Array) => {
      const signed = Buffer.concat([prefix, challenge]).toString('base64url')
      const text = JSON.stringify({ type: 'webauthn.get', challenge: signed, origin, crossOrigin: true })
      return prefixed.verify(user, device, createAssertion(text))
    }
    const challenge = await prefixed.createChallenge(user, device)
    await expect(verify(Buffer.alloc(0), challenge)).rejects.toMatchObject(refusal)
    await expect(verify(prefixOf('tablet'), challenge)).rejects.toMatchObject(refusal)
    await expect(verify(prefixOf(device), challenge)).resolves.toBeUndefined()
  })

  test.each([
    ['nothing', () => ''],
    ['no JSON', () => '{'],
    ['a list', () => '[]'],
    ['JSON null', () => 'null'],
    ['invalid UTF-8', () => Buffer.from([0xff, 0xfe, 0x00])],
    ['a thousand nested lists', () => `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
    ['a hundred thousand nested lists', () => '['.repeat(100_000)],
    ['members of other types', () => '{"type":"webauthn.get","challenge":{},"origin":[]}'],
    ['an origin that is not a URL', (text: string) => text.replace(origin, 'wallet.localhost')],
    ['another type', (text: string) => text.replace('webauthn.get', 'webauthn.create')],
    ['two types', (text: string) => text.replace('}', ',"type":"webauthn.create"}')],
    [
      'an unknown challenge',
      (text: string) => text.replace(/(?<="challenge":")./, (first) => (first === 'A' ? 'B' : 'A')),
    ],
    ['two challenges', (text: string) => text.replace('}', ',"challenge":"AAAA"}')],
    ['members of its prototype', (text: string) => `{"__proto__":${text}}`],
  ])('is rejected if its client data are %s [G-08]', async (_what, damage) => {
    await expect(passkeys.verify(user, device, createAssertion(damage(await good())))).rejects.toMatchObject(refusal)
  })

  test.each(['http://evil.localhost:4605', 'http://wallet.localhost:4606', 'https://wallet.localhost:4605'])(
    'is rejected if a page at %s asked for it, even with a matching RP ID [V-02]',
    async (other) => {
      const text = (await good()).replace(origin, other)
      const authenticatorData = Buffer.concat([hashData(new URL(other).hostname), flags])
      await expect(passkeys.verify(user, device, createAssertion(text, authenticatorData))).rejects.toMatchObject(
        refusal,
      )
    },
  )

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['an RP ID hash only', rpId],
    ['cut within the RP ID hash', rpId.subarray(0, 31)],
    ['for another RP ID', Buffer.concat([hashData('evil.example'), flags])],
    ['without user verification', Buffer.concat([rpId, Buffer.of(0b001, 0, 0, 0, 1)])],
    ['without user presence', Buffer.concat([rpId, Buffer.of(0b100, 0, 0, 0, 1)])],
    ['nested lists of CBOR', repeat(0x81, 1_000)],
  ])('is rejected if its authenticator data are %s [G-08]', async (_what, authenticatorData) => {
    const response = createAssertion(await good(), authenticatorData)
    await expect(passkeys.verify(user, device, response)).rejects.toMatchObject(refusal)
  })

  test('is rejected with a signature that is cut off at any length or has one bit flipped [G-08]', async () => {
    const whole = createAssertion(await good())
    for (let at = 0; at < whole.signature.length; at += 1) {
      const turned = Uint8Array.from(whole.signature)
      turned[at] = (turned[at] ?? 0) ^ 1
      for (const signature of [whole.signature.subarray(0, at), turned]) {
        const result = { ...createAssertion(await good()), signature }
        await expect(passkeys.verify(user, device, result)).rejects.toMatchObject(refusal)
      }
    }
  })
})
