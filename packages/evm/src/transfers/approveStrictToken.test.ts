import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createLatchkey, memoryStorage, sendTransaction, start } from '@latchkey/core'
import {
  approveSwap,
  chooseSwapToken,
  openSwap,
  reviewSwap,
  setSwapAmount,
  swapNow,
  swapState,
} from '@latchkey/core/money'
import { fakeExchange } from '@latchkey/core/testing'
import { announce, createSimulatedExtension } from '@latchkey/testkit'
import { createPublicClient, encodeFunctionData, erc20Abi, http, type Address } from 'viem'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain } from '../testing/startTestChain.ts'

const chainId = 'eip155:31337'
const unit = 1_000_000n

let chain: TestChain
let strict: Address

beforeAll(async () => {
  chain = await startTestChain()
  strict = await chain.deploy('StrictToken')
  return () => chain.stop()
})

/** A data service whose allowances are those of the chain. */
async function startExchange(owner: Address): Promise<{ url: string; exchange: ReturnType<typeof fakeExchange> }> {
  const exchange = fakeExchange(chainId, owner)
  exchange.rate = 10n ** 18n
  const token = `${chainId}:${strict}`
  exchange.instead['tokens'] = () => ({
    body: {
      tokens: [
        { name: 'Ether', symbol: 'ETH', address: exchange.native, decimals: 18, logoUri: null, eip2612: false },
        { name: 'Strict Dollar', symbol: 'STRICT', address: token, decimals: 6, logoUri: null, eip2612: false },
      ],
    },
  })
  exchange.instead['allowance'] = async () => ({ body: { allowance: String(await readAllowance(owner, exchange)) } })
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server.invalid')
    const text = (await request.toArray()).join('')
    const { status = 200, body } = await exchange.respond({
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: text === '' ? {} : JSON.parse(text),
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, exchange }
}

function readAllowance(owner: Address, { contract }: ReturnType<typeof fakeExchange>): Promise<bigint> {
  const client = createPublicClient({ chain: chain.chain, transport: http(chain.proxy.url) })
  const args = [owner, contract as Address] as const
  return client.readContract({ address: strict, abi: erc20Abi, functionName: 'allowance', args })
}

/** A user with 100 STRICT, who approved 5 for the exchange and never swapped them, reviews a swap of 20. */
async function reviewTransaction({ atomic }: { atomic: boolean }) {
  const { key, address } = await chain.wallet('10')
  await chain.call('StrictToken', strict, 'mint', [address, 100n * unit])
  const { url, exchange } = await startExchange(address)
  const wallet = createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { [chain.chain.id]: chain.proxy.url },
    chainId: chain.chain.id,
    ...(atomic ? { batches: 'atomic' as const } : {}),
  })
  const page = new EventTarget()
  announce(wallet, page)
  const latchkey = createLatchkey({
    adapters: [evm({ chains: [chain.chain], page })],
    storage: memoryStorage(),
    server: url,
    projectId: '0'.repeat(32),
  })
  start(latchkey)
  await connect(latchkey, wallet.info.rdns)
  const leftover = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [exchange.contract as Address, 5n * unit],
  })
  await sendTransaction(latchkey, { to: strict, data: leftover })
  await expect.poll(() => readAllowance(address, exchange)).toBe(5n * unit)
  await openSwap(latchkey)
  chooseSwapToken(latchkey, 'to', `${chainId}:${strict}`)
  chooseSwapToken(latchkey, 'from', `${chainId}:${strict}`)
  chooseSwapToken(latchkey, 'to', exchange.native)
  setSwapAmount(latchkey, '20')
  await expect.poll(() => swapState(latchkey).getState().quote.status).toBe('ready')
  await reviewSwap(latchkey).prepared
  const order = () => swapState(latchkey).getState().order
  const requests = (method: string): number => wallet.requests.filter((each) => each.method === method).length
  return { latchkey, order, requests, allowance: () => readAllowance(address, exchange) }
}

test('a token that refuses to change a leftover allowance is swapped in labelled steps', async () => {
  const { latchkey, order, allowance } = await reviewTransaction({ atomic: false })
  expect(order()).toMatchObject({ status: 'ready', step: 'reset', steps: ['reset', 'approve', 'swap'] })
  await approveSwap(latchkey)
  expect(await allowance()).toBe(0n)
  expect(order()).toMatchObject({ status: 'ready', step: 'approve', steps: ['approve', 'swap'] })
  expect(order()).not.toHaveProperty('error')
  await approveSwap(latchkey)
  expect(await allowance()).toBe(20n * unit)
  expect(order()).toMatchObject({ status: 'ready', step: 'swap' })
  expect(swapState(latchkey).getState().doneSteps).toEqual(['reset', 'approve'])
  expect(await (await swapNow(latchkey))?.outcome).toMatchObject({ status: 'mined' })
})

test('a wallet with atomic batches removes the allowance, approves and swaps with one consent (EIP-5792)', async () => {
  const { latchkey, order, allowance, requests } = await reviewTransaction({ atomic: true })
  const before = requests('eth_sendTransaction')
  expect(order()).toMatchObject({ status: 'ready', step: 'batch', steps: ['batch'] })
  expect(await (await swapNow(latchkey))?.outcome).toMatchObject({ status: 'mined' })
  expect(await allowance()).toBe(20n * unit)
  expect([requests('wallet_sendCalls'), requests('eth_sendTransaction')]).toEqual([1, before])
})
