import { readArtifact, startAnvil, type Anvil } from '@latchkey/devnet'
import { sql } from 'kysely'
import Fastify from 'fastify'
import {
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeDeployData,
  getCreate2Address,
  hashMessage,
  http,
  serializeErc6492Signature,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { nameMigrations } from '../schema/nameMigrations.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startTestServer } from '../testing/index.ts'

/** Two chains, on which different users own the contract at the same address. */
const clock = { at: 1_790_000_000_000, now: () => clock.at }
const nowSeconds = (): number => Math.floor(clock.at / 1000)
const zone = 'latchkey.test'
const home = 0x8000_0000 + 31337
const away = 0x8000_0000 + 31338
/** A predeployed contract of development chains. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

let nodes: readonly Anvil[]
let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  nodes = await Promise.all([31337, 31338].map((chainId) => startAnvil({ chainId, port: 0 })))
  const chains = nodes.map(({ rpcUrl }, index) => ({
    caipNetworkId: `eip155:${31337 + index}` as const,
    name: `Chain ${index}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrl],
    tokens: [],
  }))
  server = await startTestServer({ clock, chains, names: { zones: [zone], signerKey: undefined } })
})
afterAll(async () => {
  await server.close()
  await Promise.all(nodes.map((node) => node.close()))
})

type Reply = { status: number; body: unknown }
type SignedBody = { coin_type: number; address: Address; message: string; signature: Hex }

async function send(path: string, sent?: SignedBody): Promise<Reply> {
  const init = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }
  const response = await fetch(`${server.url}/v1/profile/${path}?projectId=${'ab'.repeat(16)}`, init)
  return { status: response.status, body: await response.json() }
}

/** Gets the name that is shown for an account, and the names that are listed for it. */
async function getNames(address: Address, chainId: string | undefined): Promise<{ shown: unknown; listed: unknown }> {
  const query = new URLSearchParams({ projectId: 'ab'.repeat(16), apiVersion: '2', ...(chainId && { chainId }) })
  const get = async (path: string): Promise<unknown> => (await fetch(`${server.url}/v1/${path}?${query}`)).json()
  const listed = (await get(`profile/reverse/${address}`)) as readonly { name: string }[]
  return { shown: Object(await get(`identity/${address}`)).name, listed: listed.map(({ name }) => name) }
}

const newKey = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

/** Signs for a contract account that the key owns. */
async function signFor(key: PrivateKeyAccount, address: Address, said: object, coinType: number): Promise<SignedBody> {
  const message = JSON.stringify(said)
  return { coin_type: coinType, address, message, signature: await key.sign({ hash: hashMessage(message) }) }
}

async function signWith(key: PrivateKeyAccount, said: object, coinType: number): Promise<SignedBody> {
  const message = JSON.stringify(said)
  return { coin_type: coinType, address: key.address, message, signature: await key.signMessage({ message }) }
}

/** Deploys a contract account for each owner, on one chain each, with the same deployer: the addresses are equal. */
async function deployTwins(owners: readonly PrivateKeyAccount[]): Promise<Address> {
  const deployer = newKey()
  const { abi, bytecode } = await readArtifact('LocalAccount')
  const deployed = owners.map(async (owner, index) => {
    const transport = http(nodes[index]?.rpcUrl)
    await createTestClient({ mode: 'anvil', transport }).setBalance({ address: deployer.address, value: 10n ** 18n })
    const writer = createWalletClient({ account: deployer, transport })
    const hash = await writer.deployContract({ abi, bytecode, args: [owner.address], chain: null })
    return (await createPublicClient({ transport }).waitForTransactionReceipt({ hash })).contractAddress
  })
  const [first, second] = await Promise.all(deployed)
  expect(second ?? first).toBe(first)
  if (first === undefined || first === null) throw new Error('The contract was not deployed.')
  return first
}

const createRefusal = (field: string): object => ({ status: 401, body: { status: 'FAILED', reasons: [{ field }] } })

test('contract at the same address on another chain cannot redirect a name [P-10]', async () => {
  const [victim, attacker] = [newKey(), newKey()]
  const address = await deployTwins([victim, attacker])
  const name = `treasury.${zone}`
  const registration = await signFor(victim, address, { name, timestamp: nowSeconds() }, home)
  expect(await send('account', registration)).toMatchObject({ status: 200 })
  const before = await send(`account/${name}`)

  for (const coinType of [60, home, away]) {
    const said = { name, coin_type: coinType, address: attacker.address, timestamp: nowSeconds() }
    const attack = await signFor(attacker, address, said, away)
    expect(await send(`account/${name}/address`, attack)).toMatchObject(createRefusal('address'))
  }
  const bio = await signFor(attacker, address, { name, attributes: { bio: 'Mine' }, timestamp: nowSeconds() }, away)
  expect(await send(`account/${name}/attributes`, bio)).toMatchObject(createRefusal('address'))
  expect(await send(`account/${name}`)).toEqual(before)

  const own = { name, coin_type: home, address: victim.address, timestamp: nowSeconds() }
  expect(await send(`account/${name}/address`, await signFor(victim, address, own, home))).toMatchObject({
    status: 200,
  })
})

test('contract at the same address on another chain cannot name an account [P-10]', async () => {
  const [victim, attacker] = [newKey(), newKey()]
  const address = await deployTwins([victim, attacker])
  const name = `insulting.${zone}`
  const registration = await signFor(attacker, address, { name, timestamp: nowSeconds() }, away)
  expect(await send('account', registration)).toMatchObject({ status: 200 })
  // A record of the victim's chain that the attacker adds changes nothing.
  const said = { name, coin_type: home, address, timestamp: nowSeconds() }
  expect(await send(`account/${name}/address`, await signFor(attacker, address, said, away))).toMatchObject({
    status: 200,
  })

  expect(await getNames(address, 'eip155:31337')).toEqual({ shown: null, listed: [] })
  expect(await getNames(address, undefined)).toEqual({ shown: null, listed: [] })
  expect(await getNames(address, 'eip155:31338')).toEqual({ shown: name, listed: [name] })

  const own = `honest.${zone}`
  await send('account', await signFor(victim, address, { name: own, timestamp: nowSeconds() }, home))
  expect(await getNames(address, 'eip155:31337')).toEqual({ shown: own, listed: [own] })
  expect(await getNames(address, 'eip155:31338')).toEqual({ shown: name, listed: [name] })
})

test('undeployed contract of another chain cannot redirect a name of its address [P-10]', async () => {
  const victim = newKey()
  const { abi, bytecode } = await readArtifact('LocalAccount')
  // The first owner of the contract gave it away at home. On the other chain it does not exist yet.
  const salt = `0x${'07'.repeat(32)}` as const
  const creation = encodeDeployData({ abi, bytecode, args: [victim.address] })
  const address = getCreate2Address({ from: create2Deployer, salt, bytecode: creation })
  const wrap = async (said: object, coinType: number): Promise<SignedBody> => {
    const plain = await signFor(victim, address, said, coinType)
    const data = concat([salt, creation])
    return {
      ...plain,
      signature: serializeErc6492Signature({ address: create2Deployer, data, signature: plain.signature }),
    }
  }
  const name = `counterfactual.${zone}`
  expect(await send('account', await wrap({ name, timestamp: nowSeconds() }, home))).toMatchObject({ status: 200 })
  const said = { name, coin_type: 60, address: victim.address, timestamp: nowSeconds() }
  expect(await send(`account/${name}/address`, await wrap(said, away))).toMatchObject(createRefusal('address'))
  expect(await send(`account/${name}/address`, await wrap(said, home))).toMatchObject({ status: 200 })
})

test('contract gets a record for the chain of its proof only, until it sets another one', async () => {
  const owner = newKey()
  const address = await deployTwins([owner])
  const name = `one-chain.${zone}`
  const { body } = await send('account', await signFor(owner, address, { name, timestamp: nowSeconds() }, home))
  expect(Object.keys(Object(Object(body).addresses))).toEqual([String(home)])
  const said = { name, coin_type: 60, address: owner.address, timestamp: nowSeconds() }
  const { body: records } = await send(`account/${name}/address`, await signFor(owner, address, said, home))
  expect(Object.keys(Object(records))).toEqual(['60', String(home)])
})

test('key changes its name with a signature on any chain', async () => {
  const key = newKey()
  const name = `keyed.${zone}`
  const { body } = await send('account', await signWith(key, { name, timestamp: nowSeconds() }, home))
  expect(Object.keys(Object(Object(body).addresses))).toEqual(['60', String(home)])
  const said = { name, coin_type: away, address: newKey().address, timestamp: nowSeconds() }
  expect(await send(`account/${name}/address`, await signWith(key, said, away))).toMatchObject({ status: 200 })
})

test('migration reads the chain of earlier registrations from records that never changed', async () => {
  const place = await createTestDatabase()
  onTestFinished(() => place.close())
  const { log } = Fastify({ logger: false })
  const { kysely, close } = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  onTestFinished(close)
  const [first] = Object.entries(nameMigrations)
  await migrate(kysely, Object.fromEntries(first === undefined ? [] : [first]), 'names')
  await sql`
    insert into name (name, owner, registered_at) values
      ('unchanged.test', '0xaa', 1), ('changed.test', '0xaa', 1), ('mainnet.test', '0xaa', 1)`.execute(kysely)
  await sql`
    insert into name_address (name, coin_type, namespace, address, created_at) values
      ('unchanged.test', 60, 'eip155', '0xAA', 1), ('unchanged.test', ${home}, 'eip155', '0xAA', 1),
      ('unchanged.test', ${away}, 'eip155', '0xAA', 2),
      ('changed.test', 60, 'eip155', '0xAA', 1), ('changed.test', ${home}, 'eip155', '0xAA', 2),
      ('mainnet.test', 60, 'eip155', '0xAA', 1)`.execute(kysely)
  await migrate(kysely, nameMigrations, 'names')
  const { rows } = await sql`select name, signer, proof_coin_type from name order by name`.execute(kysely)
  expect(rows).toEqual([
    { name: 'changed.test', signer: null, proof_coin_type: null },
    { name: 'mainnet.test', signer: null, proof_coin_type: null },
    { name: 'unchanged.test', signer: null, proof_coin_type: home },
  ])
})

test('contract proves an earlier registration on its chain, and loses the automatic mainnet record', async () => {
  const [victim, attacker] = [newKey(), newKey()]
  const address = await deployTwins([victim, attacker])
  const name = `earlier.${zone}`
  await send('account', await signFor(victim, address, { name, timestamp: nowSeconds() }, home))
  const { log } = Fastify({ logger: false })
  const { kysely, close } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: '' }, log)
  onTestFinished(close)
  await sql`update name set signer = null where name = ${name}`.execute(kysely)
  await sql`
    insert into name_address (name, coin_type, namespace, address, created_at)
    values (${name}, 60, 'eip155', ${address}, ${clock.at})`.execute(kysely)
  const change = (key: PrivateKeyAccount, coinType: number): Promise<SignedBody> =>
    signFor(key, address, { name, attributes: { bio: key.address }, timestamp: nowSeconds() }, coinType)
  expect(await send(`account/${name}/attributes`, await change(attacker, away))).toMatchObject(createRefusal('address'))
  expect(await send(`account/${name}/attributes`, await change(victim, home))).toMatchObject({ status: 200 })
  const { body } = await send(`account/${name}`)
  expect(Object.keys(Object(Object(body).addresses))).toEqual([String(home)])

  await sql`update name set signer = null, proof_coin_type = null where name = ${name}`.execute(kysely)
  const later = await signFor(victim, address, { name, attributes: {}, timestamp: nowSeconds() }, home)
  expect(await send(`account/${name}/attributes`, later)).toMatchObject(createRefusal('address'))
})
