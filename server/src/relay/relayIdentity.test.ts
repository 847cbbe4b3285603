import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { createTestDatabase } from '../testing/index.ts'
import { parseSignedToken } from './connections/clientToken.ts'
import { createRelayIdentity, loadRelayIdentity } from './relayIdentity.ts'
import { relayMigrations } from '../schema/relayMigrations.ts'

let database: Database
let close: () => Promise<void>

beforeAll(async () => {
  const place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
  close = async () => {
    await database.close()
    await place.close()
  }
})
afterAll(() => close())

test('the first process creates the key and all others read it', async () => {
  const identities = await Promise.all([1, 2, 3].map(() => loadRelayIdentity(database.kysely)))
  expect(new Set(identities.map(({ id }) => id)).size).toBe(1)
  expect(new Set([identities[0]?.id, createRelayIdentity(new Uint8Array(32)).id]).size).toBe(2)
})

test('the public key is available as a did:key and as hex', () => {
  // RFC 8032, section 7.1, test 1.
  const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const { id, publicKey } = createRelayIdentity(secret)
  expect(publicKey).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  expect(id).toBe('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw')
})

test('a token signed by the relay verifies with the key of its issuer', async () => {
  const { id, sign } = createRelayIdentity(new Uint8Array(32).fill(7))
  expect(await parseSignedToken(sign({ act: 'irn_watchEvent' }))).toEqual({
    issuer: id,
    claims: { iss: id, act: 'irn_watchEvent' },
  })
})
