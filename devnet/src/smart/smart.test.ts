import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../evm/anvil.ts'
import { deploySmartAccounts, type LocalSmartAccounts } from './deploySmartAccounts.ts'
import type { Bundler, BundlerOptions } from './startBundler.ts'
import { startSmartServices, type SmartServicesOptions } from './startSmartServices.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startNode(): Promise<Anvil> {
  const node = await startAnvil({ chainId: 31_337, port: 0 })
  closers.push(node.close)
  return node
}

async function request(url: string, method: string, params: unknown = []): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await response.json()) as Record<string, unknown>
}

test('deploySmartAccounts deploys the entry points at their public addresses, once', async () => {
  const node = await startNode()
  const placed = await deploySmartAccounts(node.rpcUrl)
  expect(placed.entryPoints).toEqual([
    '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  ])
  const height = await request(node.rpcUrl, 'eth_blockNumber')
  expect(await deploySmartAccounts(node.rpcUrl)).toEqual(placed)
  expect(await request(node.rpcUrl, 'eth_blockNumber')).toEqual(height)
})

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const places: LocalSmartAccounts = {
  entryPoints: [entryPoint],
  entryPoint,
  factory: '0x48E9238125996f8378bFc49b330a49889CCe8aB9',
  delegations: {
    manager: entryPoint,
    enforcers: {
      allowedTargets: entryPoint,
      allowedMethods: entryPoint,
      exactCalldata: entryPoint,
      valueLte: entryPoint,
      nativeTokenTransferAmount: entryPoint,
      nativeTokenPeriodTransfer: entryPoint,
      erc20PeriodTransfer: entryPoint,
      timestamp: entryPoint,
    },
  },
  paymaster: '0x9AeBB3b4451C500f324644450E93a25670943077',
}

async function startServices(options: Partial<SmartServicesOptions> = {}) {
  const chains = [{ chainId: 31_337, rpcUrl: 'http://127.0.0.1:1', smartAccounts: places }]
  const services = await startSmartServices({ chains, ...options })
  closers.push(services.close)
  return services
}

/** A fake bundler whose start and end a test can observe. */
function fakeBundlers() {
  const started: BundlerOptions[] = []
  let closed = 0
  return {
    started,
    closed: () => closed,
    async start(options: BundlerOptions): Promise<Bundler> {
      const node = await startNode()
      started.push(options)
      const close = async (): Promise<void> => {
        closed += 1
        await node.close()
      }
      return { url: node.rpcUrl, close }
    },
  }
}

test('the first operation starts a bundler, a look at its state does not, and closing the services stops it', async () => {
  const { started, closed, start } = fakeBundlers()
  const services = await startServices({ start })
  const url = services.bundlerUrl(31_337)
  expect(await (await fetch(url)).json()).toEqual({ status: 'stopped' })
  expect(started).toEqual([])
  const responses = await Promise.all([request(url, 'eth_chainId'), request(url, 'eth_chainId')])
  expect(responses).toMatchObject([{ result: '0x7a69' }, { result: '0x7a69' }])
  expect(started).toHaveLength(1)
  expect(await (await fetch(url)).json()).toEqual({ status: 'running' })
  await services.close()
  expect(closed()).toBe(1)
})

test('a request while a bundler starts gets an error that says to retry', async () => {
  let finish: (bundler: Bundler) => void = () => undefined
  const start = () => new Promise<Bundler>((resolve) => (finish = resolve))
  const services = await startServices({ start, startTimeoutMs: 10 })
  const response = await request(services.bundlerUrl(31_337), 'eth_chainId')
  expect(response).toMatchObject({
    id: 1,
    error: { code: -32_000, message: 'The bundler is being set up, try again in a minute.' },
  })
  expect(await (await fetch(services.bundlerUrl(31_337))).json()).toEqual({ status: 'starting' })
  finish({ url: 'http://127.0.0.1:1', close: async () => undefined })
})

test('a bundler that fails to start returns the reason, and the next request tries again', async () => {
  const sentences: string[] = []
  const { started, start } = fakeBundlers()
  let isBroken = true
  const services = await startServices({
    onProgress: (sentence) => sentences.push(sentence),
    start: async (options) => {
      if (isBroken) throw new Error('The bundler could not be installed.')
      return start(options)
    },
  })
  const url = services.bundlerUrl(31_337)
  expect(await request(url, 'eth_chainId')).toMatchObject({ error: { message: 'The bundler could not be installed.' } })
  expect(sentences).toEqual(['The bundler could not be installed.'])
  isBroken = false
  expect(await request(url, 'eth_chainId')).toMatchObject({ result: '0x7a69' })
  // It exited by itself.
  started[0]?.onExit?.('The bundler', 'exit code 1')
  expect(await request(url, 'eth_chainId')).toMatchObject({ result: '0x7a69' })
  expect(started).toHaveLength(2)
})

test('an included operation does not raise the tip of the next one', async () => {
  const node = await startNode()
  const tip = '0xba43b7400'
  const [from] = (await request(node.rpcUrl, 'eth_accounts'))['result'] as readonly string[]
  await request(node.rpcUrl, 'eth_sendTransaction', [
    { from, to: from, maxPriorityFeePerGas: tip, maxFeePerGas: '0x174876e800' },
  ])
  await expect.poll(() => request(node.rpcUrl, 'eth_maxPriorityFeePerGas')).toMatchObject({ result: tip })
  const receipt = { userOpHash: `0x${'5'.repeat(64)}`, success: true }
  const bundler = createServer((_, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: receipt })),
  )
  await new Promise<void>((resolve) => bundler.listen(0, '127.0.0.1', resolve))
  closers.push(async () => void bundler.close())
  const { port } = bundler.address() as AddressInfo
  const services = await startServices({
    chains: [{ chainId: 31_337, rpcUrl: node.rpcUrl, smartAccounts: places }],
    start: async () => ({ url: `http://127.0.0.1:${port}`, close: async () => undefined }),
  })
  const readReceipt = () => request(services.bundlerUrl(31_337), 'eth_getUserOperationReceipt', [receipt.userOpHash])
  expect(await readReceipt()).toMatchObject({ result: receipt })
  expect(await request(node.rpcUrl, 'eth_maxPriorityFeePerGas')).toMatchObject({ result: '0x3b9aca00' })
  const height = await request(node.rpcUrl, 'eth_blockNumber')
  await readReceipt()
  expect(await request(node.rpcUrl, 'eth_blockNumber')).toEqual(height)
})

test('the paymaster signs only valid operations on its own chains and entry point', async () => {
  const { paymasterUrl } = await startServices()
  const stub = (...params: readonly unknown[]) => request(paymasterUrl, 'pm_getPaymasterStubData', params)
  expect(await stub({}, entryPoint, '0x7a69', {})).toMatchObject({
    result: { paymaster: places.paymaster, isFinal: false, paymasterPostOpGasLimit: '0x0' },
  })
  const refused = { error: { code: -32_602 } }
  expect(await stub({}, entryPoint, '0x1', {})).toMatchObject(refused)
  expect(await stub({}, places.factory, '0x7a69', {})).toMatchObject(refused)
  expect(await request(paymasterUrl, 'pm_getPaymasterData', [{ sender: 1 }, entryPoint, '0x7a69', {}])).toMatchObject(
    refused,
  )
  expect(await request(paymasterUrl, 'eth_chainId')).toMatchObject({ error: { code: -32_601 } })
})
