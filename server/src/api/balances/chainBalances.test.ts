import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { decodeFunctionData, encodeFunctionResult, multicall3Abi, type Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'

import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { multicallAddress } from '../../kit/chain/callMany.ts'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { createEndpointPool } from '../../kit/chain/endpointPool.ts'
import { createChainBalances } from './chainBalances.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const token = {
  address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  name: 'Test Dollar',
  symbol: 'TUSD',
  decimals: 6,
}
const other = { address: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512', name: 'Other', symbol: 'OTH', decimals: 0 }

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function nodeThat(behave: RpcBehaviour): Promise<RpcNode> {
  const node = await startRpcNode(behave)
  closers.push(node.close)
  return node
}

function chainAt(url: string): Chain {
  return {
    caipNetworkId: 'eip155:31337',
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [url],
    tokens: [token, { ...other, iconUrl: 'https://icons.example/oth.svg' }],
  }
}

const encodeWord = (amount: bigint): string => `0x${amount.toString(16).padStart(64, '0')}`
const pools = { get: ({ rpcUrls }: Chain) => createEndpointPool(rpcUrls, systemClock) }
const read = createChainBalances({ pools, clock: systemClock })

test('chain balances are exact and read in one batch', async () => {
  const node = await nodeThat(() => [
    { id: 2, jsonrpc: '2.0', result: encodeWord(7n) },
    { id: 0, jsonrpc: '2.0', result: '0xde0b6b3a7640001' },
    { id: 1, jsonrpc: '2.0', result: encodeWord(123_450_000n) },
  ])
  const common = { chainId: 'eip155:31337', price: 0 }
  expect(await read.balances(chainAt(node.url), address)).toEqual([
    {
      ...common,
      name: 'Ether',
      symbol: 'ETH',
      iconUrl: '',
      quantity: { decimals: '18', numeric: '1.000000000000000001' },
    },
    {
      ...common,
      name: 'Test Dollar',
      symbol: 'TUSD',
      iconUrl: '',
      address: `eip155:31337:${token.address}`,
      quantity: { decimals: '6', numeric: '123.45' },
    },
    {
      ...common,
      name: 'Other',
      symbol: 'OTH',
      iconUrl: 'https://icons.example/oth.svg',
      address: `eip155:31337:${other.address}`,
      quantity: { decimals: '0', numeric: '7' },
    },
  ])
  expect(node.requests).toHaveLength(1)
})

test('chain balances include a native balance of zero, and leave out unheld and misbehaving tokens', async () => {
  const node = await nodeThat(() => [
    { id: 0, jsonrpc: '2.0', result: '0x0' },
    { id: 1, jsonrpc: '2.0', error: { code: 3, message: 'execution reverted' } },
    { id: 2, jsonrpc: '2.0', result: '-1' },
  ])
  const balances = await read.balances(chainAt(node.url), address)
  expect(balances.map(({ symbol, quantity }) => [symbol, quantity.numeric])).toEqual([['ETH', '0']])
})

test('chain balances list a requested token with a zero balance', async () => {
  const node = await nodeThat(() => [
    { id: 0, jsonrpc: '2.0', result: '0x0' },
    { id: 1, jsonrpc: '2.0', result: encodeWord(0n) },
    { id: 2, jsonrpc: '2.0', result: encodeWord(0n) },
  ])
  const balances = await read.balances(chainAt(node.url), address, { also: [token.address.toLowerCase()] })
  expect(balances.map(({ symbol, quantity }) => [symbol, quantity.numeric])).toEqual([
    ['ETH', '0'],
    ['TUSD', '0'],
  ])
})

test.each<[string, unknown]>([
  ['no batch', { id: 0, jsonrpc: '2.0', result: '0x0' }],
  ['no native balance', [{ id: 1, jsonrpc: '2.0', result: encodeWord(1n) }]],
  ['a native balance that is negative', [{ id: 0, jsonrpc: '2.0', result: '-0x1' }]],
])('chain balances fail if a node returns %s', async (_what, response) => {
  const node = await nodeThat(() => response)
  await expect(read.balances(chainAt(node.url), address)).rejects.toThrow(/^(The node did not return|No endpoint)/)
})

/** A chain with more tokens than are read with plain requests, of which an address holds the last one. */
const createLargeChain = (url: string): Chain => ({
  ...chainAt(url),
  tokens: Array.from({ length: 450 }, (_, index) => ({
    ...token,
    address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
    symbol: `T${index + 1}`,
  })),
})
const listSymbols = async (chain: Chain): Promise<readonly string[]> =>
  (await read.balances(chain, address)).map(({ symbol }) => symbol)

type Request = { id: number; method: string; params: readonly [{ to: string; data: Hex }] }

/** A node with Multicall3, where the tokens of the given addresses make a call fail as a whole. */
const multicallNode =
  (breaking: readonly number[] = []): RpcBehaviour =>
  (body) =>
    (body as readonly Request[]).map(({ id, method, params: [call] }) => {
      const plain = { id, jsonrpc: '2.0', result: method === 'eth_getBalance' ? '0x2' : encodeWord(0n) }
      if (call.to !== multicallAddress) return plain
      const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data })
      const calls = args[0] as readonly { target: Hex; callData: Hex }[]
      if (calls.some(({ target }) => breaking.includes(Number(target)))) {
        return { id, jsonrpc: '2.0', error: { code: -32_000, message: 'out of gas' } }
      }
      const results = calls.map(({ target }) => ({
        success: target !== other.address,
        returnData: encodeWord(target === multicallAddress ? 1n : Number(target) === 450 ? 7n : 0n) as Hex,
      }))
      const result = encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
      return { id, jsonrpc: '2.0', result }
    })

test('many balances are read with few calls where the chain has Multicall3', async () => {
  const node = await nodeThat(multicallNode())
  expect(await listSymbols(createLargeChain(node.url))).toEqual(['ETH', 'T450'])
  expect((node.requests as readonly Request[][]).flat().length).toBe(3)
})

test('balances are read one by one next to a token that uses up all gas', async () => {
  const node = await nodeThat(multicallNode([5]))
  expect(await listSymbols(createLargeChain(node.url))).toEqual(['ETH', 'T450'])
})

test('balances of a chain without Multicall3 are read in batches, and again without a check for it', async () => {
  const node = await nodeThat((body) =>
    (body as readonly Request[]).map(({ id, method, params: [call] }) => ({
      id,
      jsonrpc: '2.0',
      result: method === 'eth_getBalance' ? '0x1' : call.to === multicallAddress ? '0x' : encodeWord(1n),
    })),
  )
  const chain: Chain = { ...createLargeChain(node.url), caipNetworkId: 'eip155:404' }
  expect((await listSymbols(chain)).length).toBe(401)
  const before = (node.requests as readonly Request[][]).flat().length
  expect((await listSymbols(chain)).length).toBe(401)
  expect((node.requests as readonly Request[][]).flat().length).toBe(before + 401)
})

test('chain balances are read from an endpoint that refuses batches', async () => {
  const node = await nodeThat((body) => {
    if (Array.isArray(body)) return { id: null, jsonrpc: '2.0', error: { code: -32_600, message: 'no batches' } }
    const { id, method } = body as Request
    return { id, jsonrpc: '2.0', result: method === 'eth_getBalance' ? '0x1' : encodeWord(1n) }
  })
  expect(await listSymbols(chainAt(node.url))).toEqual(['ETH', 'TUSD', 'OTH'])
})

test('chain balances read a real chain', async () => {
  const url = process.env['LATCHKEY_TEST_EVM_URL'] ?? (await startAnvil())
  await createChainRpc(createEndpointPool([url], systemClock)).batch([['anvil_setBalance', [other.address, '0x5']]])
  const [native] = await read.balances(chainAt(url), other.address)
  expect(native).toMatchObject({ symbol: 'ETH', quantity: { decimals: '18', numeric: '0.000000000000000005' } })
})

async function startAnvil(): Promise<string> {
  const program = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  const anvil = spawn(program, ['--port', '0', '--host', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'ignore'] })
  closers.push(() => stopChild(anvil))
  let output = ''
  for await (const chunk of anvil.stdout) {
    output += String(chunk)
    const address = /Listening on (\S+)/.exec(output)?.[1]
    if (address !== undefined) return `http://${address}`
  }
  throw new Error('anvil ended before it listened.')
}

async function stopChild(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await exit
}
