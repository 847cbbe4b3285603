import {
  addresses,
  exchangeConfig,
  readArtifact,
  startChains,
  waitUntilMined,
  type LocalChains,
} from '@latchkey/devnet'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  parseAbi,
  publicActions,
  walletActions,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainRpc } from '../../../kit/chain/chainRpc.ts'
import { systemClock } from '../../../kit/runtime/clock.ts'
import { createEndpointPool } from '../../../kit/chain/endpointPool.ts'
import { nativeAddress, type Quote, type RouteSource, type SwapRequest } from '../routeSource.ts'
import { createPoolRoutes } from './poolRoutes.ts'
import { createTransferTaxReader } from './transferTax.ts'
import { transferTaxCode } from './transferTaxCode.ts'

const [alice] = addresses
const ether = 10n ** 18n
const abi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address to, uint256 amount)',
  'function addLiquidityETH(address token, uint256 wanted, uint256 min, uint256 minEth, address to, uint256 deadline) payable',
  'function getPair(address a, address b) view returns (address)',
])

let world: LocalChains
let source: RouteSource
let taxedToken: Hex

beforeAll(async () => {
  world = await startChains()
  const { exchange, rpcUrl } = world.chains[0]
  taxedToken = (await deploy('TaxedToken')).toLowerCase() as Hex
  await send(taxedToken, encodeFunctionData({ abi, functionName: 'mint', args: [alice, 10_000n * ether] }))
  for (const spender of [exchange.v2.router, exchange.router]) {
    await send(taxedToken, encodeFunctionData({ abi, functionName: 'approve', args: [spender, maxUint256] }))
  }
  const args = [taxedToken, 5_000n * ether, 0n, 0n, alice, maxUint256] as const
  const data = encodeFunctionData({ abi, functionName: 'addLiquidityETH', args })
  await send(exchange.v2.router, data, 50n * ether)
  const pool = createEndpointPool([rpcUrl], systemClock)
  source = createPoolRoutes({ exchange: exchangeConfig(world.chains[0]), pool, clock: systemClock })
})
afterAll(() => world.close())

const createNodeClient = () =>
  createTestClient({ mode: 'anvil', account: alice, transport: http(world.chains[0].rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

async function deploy(contract: string): Promise<Hex> {
  const hash = await createNodeClient().deployContract({
    chain: null,
    ...(await readArtifact(contract)),
    gas: 5_000_000n,
  })
  const { contractAddress } = await waitUntilMined(createNodeClient(), hash)
  if (contractAddress === null || contractAddress === undefined) throw new Error(`${contract} is not there.`)
  return contractAddress
}

async function send(to: Hex, data: Hex, value = 0n): Promise<TransactionReceipt> {
  const receipt = await waitUntilMined(
    createNodeClient(),
    await createNodeClient().sendTransaction({ chain: null, to, data, value, gas: 3_000_000n }),
  )
  expect(receipt.status).toBe('success')
  return receipt
}

async function getBestQuote(request: SwapRequest): Promise<Quote> {
  const [quote] = await source.quotes(request)
  if (quote === undefined) throw new Error('There is no quote.')
  return quote
}

/** Swaps without slippage. Returns the growth of a balance, for the native currency including gas. */
async function executeSwap(request: SwapRequest, quote: Quote): Promise<bigint> {
  const balance = (): Promise<bigint> =>
    request.to === nativeAddress
      ? createNodeClient().getBalance({ address: alice })
      : createNodeClient().readContract({
          address: request.to,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [alice],
        })
  const before = await balance()
  const { to, data, value } = await source.build({ ...request, user: alice, slippage: 0n, quoteId: quote.id })
  const { gasUsed, effectiveGasPrice } = await send(to, data, value)
  const gas = request.to === nativeAddress ? gasUsed * effectiveGasPrice : 0n
  return (await balance()) - before + gas
}

test('transferTaxCode equals the compiled contract', async () => {
  expect(transferTaxCode).toBe((await readArtifact('TransferTax')).bytecode)
})

test('transfer tax is measured, and is zero for an untaxed token', async () => {
  const { rpcUrl, exchange, tokens } = world.chains[0]
  const plain = tokens[1]?.address ?? '0x'
  const pairOf = (token: Hex): Promise<Hex> =>
    createNodeClient().readContract({
      address: exchange.v2.factory,
      abi,
      functionName: 'getPair',
      args: [token, exchange.wrappedNative],
    })
  const read = createTransferTaxReader(createChainRpc(createEndpointPool([rpcUrl], systemClock)), systemClock)
  const measured = await Promise.all([taxedToken, plain].map(async (token) => ({ token, pair: await pairOf(token) })))
  const taxes = await read([...measured, { token: alice, pair: alice }])
  expect(taxes.get(taxedToken)).toEqual({ leaving: 50_000n, entering: 50_000n })
  expect(taxes.get(plain)).toEqual({ leaving: 0n, entering: 0n })
  expect(taxes.get(alice)).toEqual({ leaving: 0n, entering: 0n })
})

test('quote of a taxed token is the amount that arrives, in both directions', async () => {
  const { tokens } = world.chains[0]
  const dollar = tokens[0]?.address.toLowerCase() as Hex
  const into = { from: nativeAddress, to: taxedToken, amount: ether }
  const outOf = { from: taxedToken, to: nativeAddress, amount: 40n * ether }
  const further = { from: taxedToken, to: dollar, amount: 40n * ether }
  for (const request of [into, outOf, further]) {
    const quote = await getBestQuote(request)
    const missing = (await executeSwap(request, quote)) - quote.received
    // The difference is below one millionth of a millionth: tokens round in their own favour.
    expect(missing).toBeGreaterThanOrEqual(0n)
    expect(missing).toBeLessThanOrEqual(2n)
    expect(quote.hops[0]?.exchange === 'Uniswap v2' || quote.hops.at(-1)?.exchange === 'Uniswap v2').toBe(true)
  }
})

test('an exact output of a swap with a taxed token is rejected', async () => {
  for (const [from, to] of [
    [nativeAddress, taxedToken],
    [taxedToken, nativeAddress],
  ] as const) {
    const refused = source.quotes({ from, to, amount: ether, exact: 'output' })
    await expect(refused).rejects.toMatchObject({ status: 400, field: 'exact' })
  }
})
