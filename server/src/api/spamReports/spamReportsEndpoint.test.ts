import {
  addresses,
  readArtifact,
  startChains,
  waitUntilMined,
  type LocalChain,
  type LocalChains,
} from '@latchkey/devnet'
import type { BalanceResponse, HistoryPage } from '@latchkey/protocol'
import { createTestClient, encodeFunctionData, http, parseAbi, publicActions, walletActions, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIndexedChains } from '../../indexer/indexedChains.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { startTestServer } from '../../testing/index.ts'
import { createSpamReportsEndpoint } from './spamReportsEndpoint.ts'

const abi = parseAbi(['constructor(string name, string symbol, uint8 decimals, address[] holders, uint256 each)'])
const transferAbi = parseAbi(['function transfer(address to, uint256 amount)'])
const [, bob] = addresses
const projectId = 'ab'.repeat(16)
const caip = 'eip155:31337'

let world: LocalChains
let chain: LocalChain
let server: Awaited<ReturnType<typeof startTestServer>>
let now = Date.now()

beforeAll(async () => {
  world = await startChains()
  chain = world.chains[0]
  const { network, rpcUrl, tokens } = chain
  const { caipNetworkId, name, nativeCurrency } = network
  server = await startTestServer({
    chains: [
      { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens: tokens.slice(0, 1), index: { from: 0 } },
    ],
    spamReportThreshold: 2,
    trustedProxies: 1,
    clock: { now: () => now },
  })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const createNodeClient = () =>
  createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

/** Sends a new token to a new account, and waits until the server knows both. */
async function receiveToken(): Promise<{ token: Hex; holder: Hex }> {
  const { bytecode } = await readArtifact('LocalToken')
  const args = ['Curious Coin', 'CUR', 6, [bob], 5_000_000n] as const
  const created = await createNodeClient().deployContract({ abi, bytecode, args, account: bob, chain: null })
  const { contractAddress } = await waitUntilMined(createNodeClient(), created)
  const holder = privateKeyToAddress(generatePrivateKey())
  const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [holder, 5n] })
  const token = contractAddress ?? '0x'
  await waitUntilMined(
    createNodeClient(),
    await createNodeClient().sendTransaction({ account: bob, chain: null, to: token, data, gas: 300_000n }),
  )
  await expect.poll(() => symbolsOf(holder)).toContain('CUR')
  return { token, holder }
}

async function get<body>(path: string): Promise<body> {
  const response = await fetch(`${server.url}${path}&projectId=${projectId}`)
  // The tests below fail if the server sends another body.
  return (await response.json()) as body
}

async function symbolsOf(holder: Hex): Promise<readonly string[]> {
  const { balances } = await get<BalanceResponse>(`/v1/account/${holder}/balance?chainId=${caip}&currency=usd`)
  return balances.map(({ symbol }) => symbol)
}

const flagsOf = async (holder: Hex) =>
  (await get<HistoryPage>(`/v1/account/${holder}/history?chainId=${caip}`)).data[0]?.transfers[0]?.fungible_info?.flags

async function report(address: unknown, client = '10.0.0.1') {
  const response = await fetch(`${server.url}/v1/spam-reports?projectId=${projectId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    body: JSON.stringify({ address }),
  })
  return { status: response.status, body: await response.json() }
}

test('a report of one client hides no token for others, and reports of enough clients hide it', async () => {
  const { token, holder } = await receiveToken()
  const id = `${caip}:${token}`
  for (let count = 0; count < 3; count += 1) expect(await report(id)).toEqual({ status: 200, body: { success: true } })
  now += 60_000
  expect(await symbolsOf(holder)).toContain('CUR')
  expect(await flagsOf(holder)).toEqual({ is_spam: false })
  expect((await report(id, '10.0.0.2')).status).toBe(200)
  now += 60_000
  expect(await symbolsOf(holder)).not.toContain('CUR')
  expect(await flagsOf(holder)).toEqual({ is_spam: true })
})

test.each<[string, unknown, string]>([
  ['something that is not an id', 'Curious Coin', 'address'],
  ['an unknown chain', `eip155:77:0x${'12'.repeat(20)}`, 'chainId'],
  [
    'a chain of another namespace',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:So11111111111111111111111111111111111111112',
    'chainId',
  ],
  ['an invalid address', `${caip}:0x12`, 'address'],
  ['a contract without transfers', `${caip}:0x${'12'.repeat(20)}`, 'address'],
  ['markup', `${caip}:<img src=x onerror=alert(1)>`, 'address'],
  ['a quote', `${caip}:0x${'1'.repeat(39)}'`, 'address'],
  ['a string that is too long', `${caip}:0x${'1'.repeat(400)}`, 'address'],
  ['a number', 7, 'address'],
  ['nothing', null, 'address'],
])('a report of %s is rejected', async (_what, address, field) => {
  expect(await report(address)).toMatchObject({ status: 400, body: { reasons: [{ field }] } })
})

test('a report of a listed token is rejected', async () => {
  expect(await report(`${caip}:${chain.tokens[0]?.address}`)).toMatchObject({ status: 400 })
})

test('a client that reported too many tokens gets status 429 and Retry-After', async () => {
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const { network, rpcUrl } = chain
  const endpoint = createSpamReportsEndpoint({
    chains: [{ ...network, rpcUrls: [rpcUrl], tokens: [] }],
    indexed: createIndexedChains([]),
    database: { run: async () => [] },
    reports: { add: async () => false, listReportedBy: async () => [] },
    trustedProxies: 0,
  })
  mountEndpoints(app, [endpoint], () => undefined)
  const payload = { address: `${caip}:0x${'12'.repeat(20)}` }
  const response = await app.inject({ method: 'POST', url: '/v1/spam-reports', payload })
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '86400'])
})
