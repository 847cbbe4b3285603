import { readFile } from 'node:fs/promises'
import { localAccount, startChains, waitUntilMined, type LocalChains } from '@latchkey/devnet'
import {
  concat,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  getCreate2Address,
  hashMessage,
  http,
  serializeErc6492Signature,
  type Abi,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type LocalAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'

const projectId = 'ab'.repeat(16)
const clock = { at: 1_790_000_000_000, now: () => clock.at }
const nowSeconds = (): number => Math.floor(clock.at / 1000)
/** A predeployed contract of development chains. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const localCoinType = 0x8000_0000 + 31337

let server: Awaited<ReturnType<typeof startTestServer>>
let chains: LocalChains
let chainUrl: string

beforeAll(async () => {
  chains = await startChains()
  const [{ network, rpcUrl, tokens }] = chains.chains
  chainUrl = rpcUrl
  const chain = { ...network, rpcUrls: [rpcUrl], tokens }
  server = await startTestServer({
    clock,
    limits: 'public',
    chains: [chain],
    names: { zones: ['latchkey.test', 'older.test'], signerKey: undefined },
    // The tests are a single client that sends many requests.
    trustedProxies: 1,
  })
})
afterAll(async () => {
  await server.close()
  await chains.close()
})

let asker = 0
type Reply = { status: number; body: unknown; headers: Headers }

/** Each request comes from another address, so that only the limit of names applies. */
async function request(path: string, sent?: object, query: Record<string, string> = {}): Promise<Reply> {
  asker += 1
  const response = await fetch(`${server.url}${path}?${new URLSearchParams({ projectId, ...query })}`, {
    headers: { 'x-forwarded-for': `10.0.${asker >> 8}.${asker & 255}` },
    ...(sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

const createRefusal = (status: number, field: string, description: unknown = expect.any(String)): object => ({
  status,
  body: { status: 'FAILED', reasons: [{ field, description }] },
})

const createAccount = (): LocalAccount => privateKeyToAccount(generatePrivateKey())

async function signBody(account: LocalAccount, said: object | string, coinType = 60): Promise<object> {
  const message = typeof said === 'string' ? said : JSON.stringify(said)
  const signature = await account.signMessage?.({ message })
  return { coin_type: coinType, address: account.address, message, signature }
}

async function register(account: LocalAccount, name: string, more: object = {}, coinType = 60): Promise<Reply> {
  const body = await signBody(account, { name, attributes: {}, timestamp: nowSeconds(), ...more }, coinType)
  return request('/v1/profile/account', body)
}

test('registered name is found by name and by address [R7.1.13] [R7.1.14] [R7.1.16]', async () => {
  const account = createAccount()
  const { address } = account
  const now = new Date(clock.at).toISOString()
  const record = {
    name: 'alice.latchkey.test',
    registered_at: now,
    updated_at: null,
    expires_at: new Date(clock.at + 365 * 86_400_000).toISOString(),
    attributes: { bio: 'Hello, Grüße' },
    addresses: {
      '60': { address, created_at: now },
      [String(localCoinType)]: { address, created_at: now },
    },
  }
  const more = { attributes: { bio: 'Hello, Grüße' } }
  expect(await register(account, 'Alice.latchkey.test', more, localCoinType)).toMatchObject({
    status: 200,
    body: record,
  })
  expect((await request('/v1/profile/account/alice.latchkey.test')).body).toEqual(record)
  expect((await request('/v1/profile/account/ALICE.latchkey.test')).body).toEqual(record)
  expect((await request(`/v1/profile/reverse/${address.toLowerCase()}`)).body).toEqual([record])
  const other = await register(account, 'alice-too.older.test')
  expect(other.status).toBe(200)
  const names = (await request(`/v1/profile/reverse/${address}`)).body as { name: string }[]
  expect(names.map(({ name }) => name).toSorted()).toEqual(['alice-too.older.test', 'alice.latchkey.test'])
})

test('unregistered name is reported as current and older clients expect [R7.1.13] [R7.1.14]', async () => {
  const { address } = createAccount()
  for (const [path, field] of [
    ['/v1/profile/account/nobody.latchkey.test', 'name'],
    [`/v1/profile/reverse/${address}`, 'address'],
  ] as const) {
    expect(await request(path)).toMatchObject(createRefusal(404, field))
    expect(await request(path, undefined, { apiVersion: '2' })).toMatchObject({ status: 200, body: [] })
  }
  expect(await request('/v1/profile/reverse/alice')).toMatchObject(createRefusal(400, 'address'))
})

test('lookup of an arbitrary text finds no name and never fails', async () => {
  const account = createAccount()
  for (const name of ['\u0000', 'a\u0000b.latchkey.test', "' or 1=1--", '%', '🗝.latchkey.test']) {
    const path = `/v1/profile/account/${encodeURIComponent(name)}`
    expect((await request(path)).status).toBe(404)
    const body = await signBody(account, { attributes: {}, timestamp: nowSeconds() })
    expect((await request(`${path}/attributes`, body)).status).toBe(400)
    expect((await register(account, name)).status).toBe(400)
  }
})

test('identity prefers ENS and shows a registered name immediately [R7.1.3]', async () => {
  const account = createAccount()
  const path = `/v1/identity/${account.address}`
  expect((await request(path)).body).toMatchObject({ name: null })
  await register(account, 'identity.latchkey.test')
  expect((await request(path)).body).toMatchObject({ name: 'identity.latchkey.test', avatar: null })
})

test('names are public: they need no project', async () => {
  const response = await fetch(`${server.url}/v1/profile/account/nobody.latchkey.test?apiVersion=2`)
  expect([response.status, await response.json()]).toEqual([200, []])
})

test('suggestions contain the name itself, then available names, five in total [R7.1.15]', async () => {
  const path = '/v1/profile/suggestions/visitor'
  const { suggestions } = (await request(path)).body as { suggestions: { name: string; registered: boolean }[] }
  expect(suggestions).toHaveLength(5)
  expect(suggestions[0]).toEqual({ name: 'visitor.latchkey.test', registered: false })
  expect(suggestions.every(({ name, registered }) => !registered && name.includes('visitor'))).toBe(true)

  await register(createAccount(), 'visitor.latchkey.test')
  await register(createAccount(), suggestions[1]?.name ?? '')
  const later = (await request(path, undefined, { zone: 'latchkey.test' })).body as { suggestions: typeof suggestions }
  expect(later.suggestions[0]).toEqual({ name: 'visitor.latchkey.test', registered: true })
  expect(later.suggestions.map(({ name }) => name)).not.toContain(suggestions[1]?.name)
  expect(later.suggestions).toHaveLength(5)
  const older = (await request(path, undefined, { zone: 'older.test' })).body as { suggestions: typeof suggestions }
  expect(older.suggestions[0]).toEqual({ name: 'visitor.older.test', registered: false })

  expect(await request(path, undefined, { zone: 'elsewhere.test' })).toMatchObject(createRefusal(400, 'zone'))
  for (const bad of ['ab', 'Upper', 'with space', 'ünï', 'a_b_c', 'x'.repeat(65)]) {
    expect(await request(`/v1/profile/suggestions/${encodeURIComponent(bad)}`)).toMatchObject(
      createRefusal(400, 'name'),
    )
  }
})

test('zones lists all suffixes, older ones included [R9.5.2]', async () => {
  expect((await request('/v1/profile/zones')).body).toEqual({
    zones: ['latchkey.test', 'older.test'],
    now: clock.at / 1000,
  })
})

test.each([
  ['is too short', 'abc.latchkey.test'],
  ['is too long', `${'a'.repeat(65)}.latchkey.test`],
  ['has no zone', 'alice'],
  ['is in a zone that is not ours', 'alice.elsewhere.test'],
  ['has a label too many', 'a.alice.latchkey.test'],
  ['has an empty label', '.latchkey.test'],
  ['has an underscore', 'ali_ce.latchkey.test'],
  ['has letters that look like others', 'аlice.latchkey.test'],
  ['has a sign whose lower case is ASCII', 'a\u212ate.latchkey.test'],
  ['is of another script', 'アリスさん.latchkey.test'],
  ['announces another alphabet', 'xn--lice.latchkey.test'],
  ['has an invisible sign', 'ali\u200dce.latchkey.test'],
])('register rejects a name that %s [R5.6.1] [P-10]', async (_what, name) => {
  expect(await register(createAccount(), name)).toMatchObject(createRefusal(400, 'name'))
})

test('register accepts up to 64 letters, digits and hyphens [R5.6.1]', async () => {
  for (const name of ['a'.repeat(64), '1234', '-a-9-', 'zz-z']) {
    expect((await register(createAccount(), `${name}.latchkey.test`)).status).toBe(200)
  }
})

test('register checks fields in order and reports the first error [R7.1.16]', async () => {
  const account = createAccount()
  const wrong = { name: 'no', attributes: { x: 'y' }, timestamp: nowSeconds() - 60 }
  const bad = async (said: object | string, change: object = {}): Promise<Reply> =>
    request('/v1/profile/account', { ...(await signBody(account, said)), signature: `0x${'11'.repeat(65)}`, ...change })
  expect(await bad('no json', { coin_type: 0 })).toMatchObject(createRefusal(422, 'message'))
  expect(await bad('{"name":"a","name":"b"}')).toMatchObject(createRefusal(422, 'message'))
  expect(await bad('[]')).toMatchObject(createRefusal(422, 'message'))
  expect(await bad({ timestamp: 1 })).toMatchObject(createRefusal(422, 'message'))
  expect(await bad(wrong, { coin_type: 0 })).toMatchObject(createRefusal(400, 'name'))
  const named = { ...wrong, name: 'order.latchkey.test' }
  for (const coin_type of [0, 501, 0x8000_0000]) {
    expect(await bad(named, { coin_type })).toMatchObject(createRefusal(400, 'coin_type'))
  }
  expect(await bad({ ...named, name: 'alice.latchkey.test' })).toMatchObject(
    createRefusal(400, 'name', 'Name is already registered'),
  )
  expect(await bad(named)).toMatchObject(createRefusal(400, 'timestamp'))
  expect(await bad({ ...named, timestamp: 'soon' })).toMatchObject(createRefusal(422, 'message'))
  const timed = { ...named, timestamp: nowSeconds() }
  for (const attributes of [{ x: 'y' }, { bio: 7 }, { bio: 'a'.repeat(256) }, { bio: 'a\u202eb' }, [], 'bio']) {
    expect(await bad({ ...timed, attributes })).toMatchObject(createRefusal(400, 'attributes'))
  }
  const fine = { ...timed, attributes: {} }
  expect(await bad(fine)).toMatchObject(createRefusal(401, 'signature'))
  expect(await bad(fine, { signature: 'none' })).toMatchObject(createRefusal(401, 'signature'))
  expect(await bad(fine, { address: '0x12' })).toMatchObject(createRefusal(400, 'address'))
  expect((await request('/v1/profile/account', await signBody(account, fine))).status).toBe(200)
})

test('message is valid for ten seconds before and after its timestamp, not eleven [P-10]', async () => {
  for (const [index, off] of [-10, 10, -11, 11].entries()) {
    const response = await register(createAccount(), `time${index}.latchkey.test`, { timestamp: nowSeconds() + off })
    if (Math.abs(off) > 10) expect(response).toMatchObject(createRefusal(400, 'timestamp'))
    else expect(response.status).toBe(200)
  }
})

test('signature is valid only for its exact bytes and its signer [P-10]', async () => {
  const account = createAccount()
  const said = { name: 'bytes.latchkey.test', attributes: {}, timestamp: nowSeconds() }
  const body = (await signBody(account, said)) as { message: string }
  const respaced = { ...body, message: body.message.replace(':', ': ') }
  expect(await request('/v1/profile/account', respaced)).toMatchObject(createRefusal(401, 'signature'))
  const stolen = { ...body, address: createAccount().address }
  expect(await request('/v1/profile/account', stolen)).toMatchObject(createRefusal(401, 'signature'))
  expect((await request('/v1/profile/account', body)).status).toBe(200)
})

test('one of twenty concurrent registrations of a name succeeds [P-10]', async () => {
  const accounts = Array.from({ length: 20 }, createAccount)
  const responses = await Promise.all(accounts.map((account) => register(account, 'race.latchkey.test')))
  const winners = accounts.filter((_, index) => responses[index]?.status === 200)
  expect(winners).toHaveLength(1)
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expect(response).toMatchObject(createRefusal(400, 'name', 'Name is already registered'))
  }
  const { body } = await request('/v1/profile/account/race.latchkey.test')
  expect(body).toMatchObject({ addresses: { 60: { address: winners[0]?.address } } })
})

test('address registers at most five names per hour, concurrent requests included', async () => {
  const account = createAccount()
  const labels = Array.from({ length: 8 }, (_, index) => `many-${index}.latchkey.test`)
  const responses = await Promise.all(labels.map((name) => register(account, name)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = responses.find(({ status }) => status !== 200)
  expect(refused).toMatchObject(createRefusal(429, 'address'))
  expect(refused?.headers.get('retry-after')).toBe('3600')
  clock.at += 3_600_001
  expect((await register(account, 'many-later.latchkey.test')).status).toBe(200)
})

test('only the owner changes attributes and addresses of a name, once per message', async () => {
  const account = createAccount()
  const target = createAccount().address
  await register(account, 'change.latchkey.test')
  const path = '/v1/profile/account/change.latchkey.test'
  const bio = await signBody(account, { attributes: { bio: 'First' }, timestamp: nowSeconds() })
  expect(await request(`${path}/attributes`, bio)).toMatchObject({ status: 200, body: { bio: 'First' } })
  const stranger = await signBody(createAccount(), { attributes: { bio: 'Mine' }, timestamp: nowSeconds() })
  expect(await request(`${path}/attributes`, stranger)).toMatchObject(createRefusal(401, 'address'))
  expect(await request(`${path}/attributes`, bio)).toMatchObject(createRefusal(400, 'timestamp'))

  const move = { coin_type: localCoinType, address: target, timestamp: nowSeconds() }
  expect(await request(`${path}/address`, await signBody(account, move))).toMatchObject({
    status: 200,
    body: { 60: { address: account.address }, [localCoinType]: { address: target } },
  })
  const elsewhere = await signBody(account, { ...move, coin_type: 501 })
  expect(await request(`${path}/address`, elsewhere)).toMatchObject(createRefusal(400, 'coin_type'))
  const nowhere = await signBody(account, { ...move, address: `0x${'0'.repeat(40)}` })
  expect(await request(`${path}/address`, nowhere)).toMatchObject(createRefusal(400, 'address'))
  const misdirected = await signBody(account, { ...move, name: 'another.latchkey.test' })
  expect(await request(`${path}/address`, misdirected)).toMatchObject(createRefusal(400, 'name'))
  const unknown = '/v1/profile/account/unknown.latchkey.test/address'
  expect(await request(unknown, await signBody(account, move))).toMatchObject(createRefusal(400, 'name'))
  expect((await request(path)).body).toMatchObject({
    updated_at: new Date(clock.at).toISOString(),
    attributes: { bio: 'First' },
  })
})

test('name that another owner points to an address does not name the address', async () => {
  const [owner, victim] = [createAccount(), createAccount()]
  await register(owner, 'scam.latchkey.test')
  const move = { coin_type: 60, address: victim.address, timestamp: nowSeconds() }
  expect((await request('/v1/profile/account/scam.latchkey.test/address', await signBody(owner, move))).status).toBe(
    200,
  )
  const about = (address: string): Promise<Reply> =>
    request(`/v1/profile/reverse/${address}`, undefined, { apiVersion: '2' })
  expect((await about(victim.address)).body).toEqual([])
  // It no longer names its owner, because it does not resolve to the owner.
  expect((await about(owner.address)).body).toEqual([])
})

test("contract account registers with its owner's signature, on its own chain [P-10]", async () => {
  const owner = localAccount(8)
  const artifact = new URL('../../../devnet/src/contracts/artifacts/LocalAccount.json', import.meta.url)
  const { abi, bytecode } = JSON.parse(await readFile(artifact, 'utf8')) as { abi: Abi; bytecode: Hex }
  const reader = createPublicClient({ transport: http(chainUrl) })
  const writer = createWalletClient({ account: owner, transport: http(chainUrl) })
  const hash = await writer.deployContract({ abi, bytecode, args: [owner.address], chain: null })
  const { contractAddress } = await waitUntilMined(reader, hash)
  const message = JSON.stringify({ name: 'contract.latchkey.test', timestamp: nowSeconds() })
  const body = {
    coin_type: localCoinType,
    address: contractAddress,
    message,
    signature: await owner.sign({ hash: hashMessage(message) }),
  }
  // On mainnet the address has no code, as far as this server can see.
  expect(await request('/v1/profile/account', { ...body, coin_type: 60 })).toMatchObject(
    createRefusal(401, 'signature'),
  )
  const forged = { ...body, signature: await createAccount().signMessage?.({ message }) }
  expect(await request('/v1/profile/account', forged)).toMatchObject(createRefusal(401, 'signature'))
  expect(await request('/v1/profile/account', body)).toMatchObject({ status: 200 })

  // An undeployed contract includes its deployment call in the signature (ERC-6492).
  const salt = `0x${'07'.repeat(32)}` as const
  const creation = encodeDeployData({ abi, bytecode, args: [owner.address] })
  const address = getCreate2Address({ from: create2Deployer, salt, bytecode: creation })
  const said = message.replace('contract', 'undeployed')
  const signature = await owner.sign({ hash: hashMessage(said) })
  const wrapped = serializeErc6492Signature({ address: create2Deployer, data: concat([salt, creation]), signature })
  const later = { ...body, address, message: said, signature: wrapped }
  expect(await request('/v1/profile/account', { ...later, address: createAccount().address })).toMatchObject(
    createRefusal(401, 'signature'),
  )
  expect(await request('/v1/profile/account', later)).toMatchObject({ status: 200 })
  expect(await reader.getCode({ address })).toBeUndefined()
})

test('contract signature fails with 503, not 401, if the chain is not available', { tags: 'faults' }, async () => {
  const network = chains.chains[0].network
  const chain = { ...network, rpcUrls: ['http://127.0.0.1:9'], tokens: [] }
  const cut = await startTestServer({ chains: [chain], names: { zones: ['latchkey.test'], signerKey: undefined } })
  const said = { name: 'away.latchkey.test', timestamp: Math.floor(Date.now() / 1000) }
  const forged = { ...(await signBody(createAccount(), said, localCoinType)), address: createAccount().address }
  const body = JSON.stringify(forged)
  const response = await fetch(`${cut.url}/v1/profile/account?projectId=${projectId}`, { method: 'POST', body })
  expect({ status: response.status, body: await response.json() }).toMatchObject(createRefusal(503, 'coin_type'))
  await cut.close()
})

test('server without a zone registers no names', async () => {
  const bare = await startTestServer()
  const get = async (path: string): Promise<number> =>
    (await fetch(`${bare.url}/v1/profile/${path}?projectId=${projectId}`)).status
  expect([await get('suggestions/alice'), await get('account/alice.latchkey.test'), await get('zones')]).toEqual([
    400, 404, 200,
  ])
  await bare.close()
})
