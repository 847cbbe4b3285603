import { readArtifact, startAnvil, type Anvil } from '@latchkey/devnet'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { createPublicClient, createTestClient, createWalletClient, hashMessage, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../kit/database/database.ts'
import { startTestServer } from '../testing/index.ts'
import { nameTerms } from './nameTerms.ts'

/** Two processes on one database, and a chain with contract accounts. */
const clock = { at: 1_790_000_000_000, now: () => clock.at }
const nowSeconds = (): number => Math.floor(clock.at / 1000)
const zone = 'latchkey.test'
const home = 0x8000_0000 + 31337
const away = 0x8000_0000 + 10

type Server = Awaited<ReturnType<typeof startTestServer>>
let chain: Anvil
let server: Server
let other: Server

beforeAll(async () => {
  chain = await startAnvil({ chainId: 31337, port: 0 })
  const chains = [
    {
      caipNetworkId: 'eip155:31337' as const,
      name: 'Home',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [chain.rpcUrl],
      tokens: [],
    },
  ]
  const names = { zones: [zone], signerKey: undefined }
  server = await startTestServer({ clock, chains, names })
  other = await startTestServer({ clock, chains, names, databaseUrl: server.databaseUrl })
})
afterAll(async () => {
  await other.close()
  await server.close()
  await chain.close()
})

type Reply = { status: number; body: unknown }
type SignedBody = { coin_type: number; address: string; message: string; signature: Hex }

async function send(path: string, sent?: SignedBody, { url }: Pick<Server, 'url'> = server): Promise<Reply> {
  const init = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }
  const response = await fetch(`${url}/v1/profile/${path}?projectId=${'ab'.repeat(16)}`, init)
  return { status: response.status, body: await response.json() }
}

const newKey = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

async function sign(key: PrivateKeyAccount, said: object, coinType = home): Promise<SignedBody> {
  const message = JSON.stringify({ timestamp: nowSeconds(), ...said })
  return { coin_type: coinType, address: key.address, message, signature: await key.signMessage({ message }) }
}

async function registerName(key: PrivateKeyAccount, label: string): Promise<string> {
  const name = `${label}.${zone}`
  expect(await send('account', await sign(key, { name, attributes: { bio: 'First' } }))).toMatchObject({ status: 200 })
  return name
}

async function act(key: PrivateKeyAccount, action: string, name: string, more: object = {}): Promise<Reply> {
  return send(`account/${name}/${action}`, await sign(key, { action, name, ...more }))
}

const offerName = (key: PrivateKeyAccount, name: string, to: string): Promise<Reply> =>
  act(key, 'transfer', name, { to, coin_type: home })
const createRefusal = (status: number, field: string): object => ({ status, body: { reasons: [{ field }] } })
const addressOf = async (name: string): Promise<unknown> => {
  const { body } = await send(`account/${name}`)
  return Object(Object(Object(body).addresses)['60']).address
}
const toIsoTime = (at: number): string => new Date(at).toISOString()

test('registered name expires after a year, and no longer resolves', async () => {
  const key = newKey()
  const name = await registerName(key, 'one-year')
  expect((await send(`account/${name}`)).body).toMatchObject({ expires_at: toIsoTime(clock.at + nameTerms.termMs) })
  clock.at += nameTerms.termMs
  expect(await send(`account/${name}`)).toMatchObject(createRefusal(404, 'name'))
  expect(await send(`reverse/${key.address}`)).toMatchObject(createRefusal(404, 'address'))
  const move = { name, coin_type: 60, address: newKey().address }
  expect(await send(`account/${name}/address`, await sign(key, move))).toMatchObject(createRefusal(400, 'name'))
  expect(await offerName(key, name, newKey().address)).toMatchObject(createRefusal(400, 'name'))
})

test('owner renews a name before its expiry and up to 90 days after', async () => {
  const key = newKey()
  const name = await registerName(key, 'renewed')
  clock.at += 1_000
  expect((await act(key, 'renew', name)).body).toMatchObject({ expires_at: toIsoTime(clock.at + nameTerms.termMs) })
  clock.at += nameTerms.termMs + nameTerms.graceMs - 1_000
  const stranger = newKey()
  expect(await send('account', await sign(stranger, { name }))).toMatchObject(createRefusal(400, 'name'))
  expect(await act(stranger, 'renew', name)).toMatchObject(createRefusal(401, 'address'))
  expect(await act(key, 'renew', name)).toMatchObject({ status: 200 })
  expect(await addressOf(name)).toBe(key.address)
})

test('name is available to everyone when its grace period is over', async () => {
  const key = newKey()
  const name = await registerName(key, 'lapsed')
  clock.at += nameTerms.termMs + nameTerms.graceMs
  expect(await act(key, 'renew', name)).toMatchObject(createRefusal(401, 'address'))
  const next = newKey()
  expect(await send('account', await sign(next, { name }))).toMatchObject({ status: 200 })
  expect((await send(`account/${name}`)).body).toMatchObject({ attributes: null })
  expect(await addressOf(name)).toBe(next.address)
})

test('offered name belongs to the new owner once it accepts, without data of the former owner', async () => {
  const [giver, taker] = [newKey(), newKey()]
  const name = await registerName(giver, 'offered')
  expect(await offerName(giver, name, taker.address)).toMatchObject({ status: 200 })
  expect(await addressOf(name)).toBe(giver.address)
  expect((await send(`offers/${taker.address.toLowerCase()}`)).body).toMatchObject([{ name }])
  expect(await act(taker, 'accept', name)).toMatchObject({ status: 200, body: { attributes: null } })
  expect(await addressOf(name)).toBe(taker.address)
  expect((await send(`reverse/${taker.address}`)).body).toMatchObject([{ name }])
  expect((await send(`offers/${taker.address}`)).body).toEqual([])
  expect(await act(giver, 'renew', name)).toMatchObject(createRefusal(401, 'address'))
  expect(await act(giver, 'release', name)).toMatchObject(createRefusal(401, 'address'))
})

test('offer names an address only after it accepts, so that users can’t be named by others', async () => {
  const [giver, victim] = [newKey(), newKey()]
  const own = await registerName(victim, 'own-name')
  const name = await registerName(giver, 'insulting')
  await offerName(giver, name, victim.address)
  expect((await send(`reverse/${victim.address}`)).body).toMatchObject([{ name: own }])
  clock.at += 1_000
  await act(victim, 'accept', name)
  // The account's earlier name remains the displayed one.
  expect((await send(`reverse/${victim.address}`)).body).toMatchObject([{ name: own }, { name }])
})

test('only the address of the last offer accepts a name, within seven days', async () => {
  const [giver, first, second] = [newKey(), newKey(), newKey()]
  const name = await registerName(giver, 'reoffered')
  await offerName(giver, name, first.address)
  await offerName(giver, name, second.address)
  expect(await act(first, 'accept', name)).toMatchObject(createRefusal(401, 'address'))
  clock.at += nameTerms.offerMs
  expect(await act(second, 'accept', name)).toMatchObject(createRefusal(401, 'address'))
  expect((await send(`offers/${second.address}`)).body).toEqual([])
  await offerName(giver, name, second.address)
  await offerName(giver, name, giver.address)
  expect(await act(second, 'accept', name)).toMatchObject(createRefusal(401, 'address'))
  expect(await act(second, 'transfer', name, { to: second.address, coin_type: home })).toMatchObject(
    createRefusal(401, 'address'),
  )
})

test('offer that is accepted and withdrawn at the same time has one result, in two processes', async () => {
  const [giver, taker] = [newKey(), newKey()]
  const name = await registerName(giver, 'raced')
  await offerName(giver, name, taker.address)
  const [withdrawal, acceptance] = await Promise.all([
    send(
      `account/${name}/transfer`,
      await sign(giver, { action: 'transfer', name, to: giver.address, coin_type: home, note: 1 }),
    ),
    send(`account/${name}/accept`, await sign(taker, { action: 'accept', name }), other),
  ])
  expect([withdrawal.status, acceptance.status].toSorted()).toEqual([200, 401])
  expect(await addressOf(name)).toBe(acceptance.status === 200 ? taker.address : giver.address)
})

test('released name can be registered by its former owner only, for 90 days', async () => {
  const key = newKey()
  const name = await registerName(key, 'released')
  expect(await act(key, 'release', name)).toMatchObject({ status: 200, body: { name } })
  expect(await send(`account/${name}`)).toMatchObject(createRefusal(404, 'name'))
  expect(await send(`reverse/${key.address}`)).toMatchObject(createRefusal(404, 'address'))
  const stranger = newKey()
  expect(await send('account', await sign(stranger, { name }))).toMatchObject(createRefusal(400, 'name'))
  const { body } = await send(`suggestions/released`)
  expect(body).toMatchObject({ suggestions: [{ name, registered: true }, {}, {}, {}, {}] })
  expect(await send('account', await sign(key, { name }))).toMatchObject({ status: 200 })
  await act(key, 'release', name, { note: 'again' })
  clock.at += nameTerms.coolDownMs
  expect(await send('account', await sign(stranger, { name }))).toMatchObject({ status: 200 })
})

test('one of twenty concurrent registrations of a released name succeeds, in two processes', async () => {
  const name = await registerName(newKey(), 'contested')
  clock.at += nameTerms.termMs + nameTerms.graceMs
  const keys = Array.from({ length: 20 }, newKey)
  const replies = await Promise.all(
    keys.map(async (key, index) => send('account', await sign(key, { name }), index % 2 === 0 ? server : other)),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('message has an effect once, for its own action and its own name', async () => {
  const key = newKey()
  const [name, second] = [await registerName(key, 'messages'), await registerName(key, 'messages-2')]
  const registration = await sign(key, { name: `once.${zone}`, attributes: {} })
  expect((await send('account', registration)).status).toBe(200)
  expect((await act(key, 'release', `once.${zone}`)).status).toBe(200)
  expect(await send('account', registration)).toMatchObject(createRefusal(400, 'timestamp'))

  const renewal = await sign(key, { action: 'renew', name })
  expect((await send(`account/${name}/renew`, renewal)).status).toBe(200)
  expect(await send(`account/${name}/renew`, renewal)).toMatchObject(createRefusal(400, 'timestamp'))

  const release = await sign(key, { action: 'release', name })
  for (const path of ['renew', 'transfer', 'accept', 'attributes', 'address']) {
    expect(await send(`account/${name}/${path}`, release)).toMatchObject({ status: 400 })
  }
  expect(await send(`account/${second}/release`, release)).toMatchObject(createRefusal(400, 'name'))
  const bio = await sign(key, { name, attributes: {} })
  expect(await send(`account/${name}/release`, bio)).toMatchObject(createRefusal(400, 'message'))
  const nameless = await sign(key, { action: 'release' })
  expect(await send(`account/${name}/release`, nameless)).toMatchObject(createRefusal(422, 'message'))
  const late = await sign(key, { action: 'release', name, timestamp: nowSeconds() - 11 })
  expect(await send(`account/${name}/release`, late)).toMatchObject(createRefusal(400, 'timestamp'))
  expect((await send(`account/${name}`)).body).toMatchObject({ attributes: { bio: 'First' } })
})

test.each([
  ['the zero address', { to: `0x${'0'.repeat(40)}`, coin_type: home }, createRefusal(400, 'address')],
  ['a name', { to: `alice.${zone}`, coin_type: home }, createRefusal(400, 'address')],
  ['nothing', { coin_type: home }, createRefusal(422, 'message')],
  ['an address without a chain', { to: `0x${'1'.repeat(40)}` }, createRefusal(422, 'message')],
  ['an address of another namespace', { to: `0x${'1'.repeat(40)}`, coin_type: 501 }, createRefusal(400, 'coin_type')],
])('name can not be offered to %s', async (label, more, reply) => {
  const key = newKey()
  const name = await registerName(key, `to-${label.replaceAll(' ', '-')}`)
  expect(await act(key, 'transfer', name, more)).toMatchObject(reply)
  expect(await addressOf(name)).toBe(key.address)
})

test('contract accepts an offer on the chain that the offer names, and owns the name there only', async () => {
  const [giver, owner] = [newKey(), newKey()]
  const transport = http(chain.rpcUrl)
  await createTestClient({ mode: 'anvil', transport }).setBalance({ address: owner.address, value: 10n ** 18n })
  const { abi, bytecode } = await readArtifact('LocalAccount')
  const writer = createWalletClient({ account: owner, transport })
  const hash = await writer.deployContract({ abi, bytecode, args: [owner.address], chain: null })
  const receipt = await createPublicClient({ transport }).waitForTransactionReceipt({ hash })
  const address = receipt.contractAddress ?? ''
  const name = await registerName(giver, 'to-contract')
  const accept = async (note: number): Promise<SignedBody> => {
    const message = JSON.stringify({ action: 'accept', name, timestamp: nowSeconds(), note })
    return { coin_type: home, address, message, signature: await owner.sign({ hash: hashMessage(message) }) }
  }
  await act(giver, 'transfer', name, { to: address, coin_type: away })
  expect(await send(`account/${name}/accept`, await accept(1))).toMatchObject(createRefusal(401, 'address'))
  await act(giver, 'transfer', name, { to: address, coin_type: home })
  const { body } = await send(`account/${name}/accept`, await accept(2))
  expect(Object.keys(Object(Object(body).addresses))).toEqual([String(home)])
})

test('offers are found by an index', async () => {
  const { log } = Fastify({ logger: false })
  const { kysely, close } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: '' }, log)
  onTestFinished(close)
  await sql`
    insert into name (name, owner, registered_at, expires_at, offered_to, offered_until)
    select 'plan-' || at, 'owner ' || at, 0, 1, 'receiver ' || at, 1 from generate_series(1, 20000) as at`.execute(
    kysely,
  )
  await sql`analyze name`.execute(kysely)
  const { rows } = await sql`explain select 1 from name n where n.offered_to = 'receiver 7'`.execute(kysely)
  expect(JSON.stringify(rows)).toContain('name_by_offer')
})
