import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addresses,
  connectNames,
  keepSignerKey,
  localZone,
  roles,
  startChains,
  type LocalChains,
} from '@latchkey/devnet'
import {
  concat,
  createPublicClient,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  http,
  namehash,
  parseAbi,
  toCoinType,
  toHex,
  type Hex,
  type PublicClient,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type LocalAccount } from 'viem/accounts'
import { packetToBytes } from 'viem/ens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'

const projectId = 'ab'.repeat(16)
const registered = privateKeyToAccount(generatePrivateKey())
const moved = privateKeyToAccount(generatePrivateKey()).address
const localCoinType = Number(toCoinType(31337))
const name = `wanderer.${localZone}`

let chains: LocalChains
let server: Awaited<ReturnType<typeof startTestServer>>
let folder: string
let client: PublicClient
let onChain: Awaited<ReturnType<typeof connectNames>>
let signer: Hex

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-names-'))
  const file = join(folder, 'names.key')
  signer = await keepSignerKey(file)
  // The pattern was written by the line above.
  const signerKey = (await readFile(file, 'utf8')).trim() as Hex
  chains = await startChains()
  server = await startTestServer({ names: { zones: [localZone], signerKey } })
  const [{ rpcUrl }] = chains.chains
  onChain = await connectNames(rpcUrl, signer, server.url)
  client = clientOf(rpcUrl)
  await register(registered, name, { bio: 'Here and there' })
  const move = { coin_type: localCoinType, address: moved, timestamp: nowSeconds() }
  await send(`/v1/profile/account/${name}/address`, registered, move)
})
afterAll(async () => {
  await server.close()
  await chains.close()
  await rm(folder, { recursive: true, force: true })
})

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

function clientOf(rpcUrl: string): PublicClient {
  return createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
}

async function send(path: string, account: LocalAccount, said: object): Promise<void> {
  const message = JSON.stringify(said)
  const signature = await account.signMessage?.({ message })
  const body = JSON.stringify({ coin_type: localCoinType, address: account.address, message, signature })
  const reply = await fetch(`${server.url}${path}?projectId=${projectId}`, { method: 'POST', body })
  expect(reply.status).toBe(200)
}

const register = (account: LocalAccount, wanted: string, attributes: object): Promise<void> =>
  send('/v1/profile/account', account, { name: wanted, attributes, timestamp: nowSeconds() })

const getResolverOptions = (): { universalResolverAddress: Hex; strict: true } => ({
  universalResolverAddress: onChain.universalResolver,
  strict: true,
})

test('ENS client resolves a name by chain, with its description', async () => {
  const [{ network }] = chains.chains
  expect(network.contracts?.ensUniversalResolver?.address).toBe(onChain.universalResolver)
  expect(await client.getEnsAddress({ ...getResolverOptions(), name })).toBe(registered.address)
  expect(await client.getEnsAddress({ ...getResolverOptions(), name, coinType: 60n })).toBe(
    registered.address.toLowerCase(),
  )
  expect(await client.getEnsAddress({ ...getResolverOptions(), name, coinType: BigInt(localCoinType) })).toBe(
    moved.toLowerCase(),
  )
  expect(await client.getEnsText({ ...getResolverOptions(), name, key: 'description' })).toBe('Here and there')
  expect(await client.getEnsText({ ...getResolverOptions(), name, key: 'constructor' })).toBeNull()
  expect(await client.getEnsAvatar({ ...getResolverOptions(), name })).toBeNull()
  expect(await client.getEnsResolver({ universalResolverAddress: onChain.universalResolver, name })).toBe(
    onChain.resolver,
  )
})

test('unregistered name does not resolve', async () => {
  expect(await client.getEnsAddress({ ...getResolverOptions(), name: `nobody.${localZone}` })).toBeNull()
  expect(await client.getEnsAddress({ ...getResolverOptions(), name: `a.${name}` })).toBeNull()
  const elsewhere = { universalResolverAddress: onChain.universalResolver, name: 'wanderer.eth' }
  expect(await client.getEnsAddress(elsewhere)).toBeNull()
})

test('ENS client finds the name of an address if the name resolves back', async () => {
  expect(await client.getEnsName({ ...getResolverOptions(), address: registered.address })).toBe(name)
  // On the local chain the name resolves to another address.
  const there = { universalResolverAddress: onChain.universalResolver, coinType: BigInt(localCoinType) }
  expect(await client.getEnsName({ ...there, address: registered.address })).toBeNull()
  expect(await client.getEnsName({ ...there, address: moved })).toBeNull()
  expect(await client.getEnsName({ ...getResolverOptions(), address: moved })).toBeNull()
})

test('gateway accepts browser requests without a project and rejects invalid calls', async () => {
  const sendRequest = (body: string): Promise<Response> =>
    fetch(`${server.url}/v1/names/gateway`, { method: 'POST', body })
  for (const body of ['{}', '{"data":7}', '{"data":"0x"}', '{"data":"0x12"}', `{"data":"0x${'00'.repeat(3000)}"}`]) {
    expect((await sendRequest(body)).status).toBe(400)
  }
  const strange = encodeFunctionData({ abi: parseAbi(['function contenthash(bytes32)']), args: [namehash(name)] })
  const data = encodeFunctionData({
    abi: parseAbi(['function answer(bytes name, bytes question, address resolver)']),
    args: [toHex(packetToBytes(name)), strange, onChain.resolver],
  })
  expect((await sendRequest(JSON.stringify({ data }))).status).toBe(400)
})

test('origin without a project can use only the gateway', { tags: 'faults' }, async () => {
  const strict = await startTestServer({
    names: { zones: [localZone], signerKey: generatePrivateKey() },
    projects: [{ id: projectId, allowedOrigins: ['https://app.example'] }],
  })
  const origin = 'https://elsewhere.example'
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  }
  const sendRequest = async (path: string, method: string, headers: Record<string, string>): Promise<Headers> =>
    (await fetch(`${strict.url}${path}`, { method, headers })).headers
  const requested = await sendRequest('/v1/names/gateway', 'OPTIONS', preflight)
  expect([requested.get('access-control-allow-origin'), requested.get('access-control-allow-headers')]).toEqual([
    '*',
    'content-type',
  ])
  expect((await sendRequest('/v1/names/gateway', 'POST', { origin })).get('access-control-allow-origin')).toBe('*')
  expect((await sendRequest('/v1/profile/zones', 'GET', { origin })).get('access-control-allow-origin')).toBeNull()
  await strict.close()
})

const resolverAbi = parseAbi([
  'function setGateways(string[] gateways)',
  'function setSigner(address signer, bool trusted)',
  'error NotOwner()',
  'error WrongSigner()',
  'function resolveSigned(bytes response, bytes asked) view returns (bytes)',
])
type Signed = readonly [result: Hex, expires: bigint, signature: Hex]
const signedParameters = [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }] as const

/** The same names on the second chain, behind a gateway that alters the responses. */
async function startTamperingGateway(
  tamper: (signed: Signed) => Signed,
): Promise<{ client: PublicClient; server: Server }> {
  const between = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const received = await fetch(`${server.url}/v1/names/gateway`, { method: 'POST', body })
      const { data } = (await received.json()) as { data: Hex }
      const changed = encodeAbiParameters(signedParameters, tamper(decodeAbiParameters(signedParameters, data)))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: changed }))
    })()
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = between.address() as AddressInfo
  const [, { rpcUrl }] = chains.chains
  await connectNames(rpcUrl, signer, `http://127.0.0.1:${port}`)
  return { client: clientOf(rpcUrl), server: between }
}

test.each<[string, (signed: Signed) => Signed, RegExp | undefined]>([
  ['untouched', (signed) => signed, undefined],
  [
    'leading elsewhere',
    ([, ...rest]) => [encodeAbiParameters([{ type: 'address' }], [moved]), ...rest],
    /0xfe9ff22d|WrongSigner|ResolverError/,
  ],
  ['made to last longer', ([result, expires, signature]) => [result, expires + 1n, signature], /ResolverError/],
  ['too old', ([result, , signature]) => [result, 1n, signature], /ResolverError/],
  ['with an empty signature', ([result, expires]) => [result, expires, `0x${'00'.repeat(65)}`], /ResolverError/],
  ['signed with too little', ([result, expires]) => [result, expires, '0x1234'], /ResolverError/],
  ['signed twice', ([result, expires, signature]) => [result, expires, concat([signature, '0x00'])], /ResolverError/],
])('contract rejects a response that is %s', async (_what, tamper, refusal) => {
  const between = await startTamperingGateway(tamper)
  const lookup = between.client.getEnsAddress({ ...getResolverOptions(), name })
  if (refusal === undefined) expect(await lookup).toBe(registered.address)
  else await expect(lookup).rejects.toThrow(refusal)
  await new Promise((resolve) => between.server.close(resolve))
})

test('response is valid only for its call, its contract and its signers', async () => {
  const encodeCall = (resolver: Hex, about: string): Hex =>
    encodeFunctionData({
      abi: parseAbi(['function answer(bytes name, bytes question, address resolver)']),
      args: [
        toHex(packetToBytes(about)),
        encodeFunctionData({ abi: parseAbi(['function addr(bytes32)']), args: [namehash(about)] }),
        resolver,
      ],
    })
  const responseTo = async (data: Hex): Promise<Hex> => {
    const reply = await fetch(`${server.url}/v1/names/gateway`, { method: 'POST', body: JSON.stringify({ data }) })
    return ((await reply.json()) as { data: Hex }).data
  }
  const take = (requested: Hex, response: Hex): Promise<Hex> =>
    client.readContract({
      address: onChain.resolver,
      abi: resolverAbi,
      functionName: 'resolveSigned',
      args: [response, requested],
    })
  const ours = encodeCall(onChain.resolver, name)
  const response = await responseTo(ours)
  expect(decodeAbiParameters([{ type: 'address' }], await take(ours, response))).toEqual([registered.address])
  await expect(take(encodeCall(onChain.resolver, `other.${localZone}`), response)).rejects.toThrow('WrongSigner')
  const theirs = encodeCall(moved, name)
  await expect(take(theirs, await responseTo(theirs))).rejects.toThrow('WrongSigner')

  const stranger = { address: onChain.resolver, abi: resolverAbi, account: addresses[8] } as const
  const gateways = { ...stranger, functionName: 'setGateways', args: [['http://127.0.0.1']] } as const
  await expect(client.simulateContract(gateways)).rejects.toThrow('NotOwner')
  await expect(client.simulateContract({ ...gateways, account: addresses[roles.deployer] })).resolves.toBeDefined()
  await expect(
    client.simulateContract({ ...stranger, functionName: 'setSigner', args: [moved, true] }),
  ).rejects.toThrow('NotOwner')
})

test('signing key is created once, readable by its owner only', async () => {
  const file = join(folder, 'other.key')
  const made = await keepSignerKey(file)
  expect(await keepSignerKey(file)).toBe(made)
  expect((await stat(file)).mode & 0o077).toBe(0)
})
