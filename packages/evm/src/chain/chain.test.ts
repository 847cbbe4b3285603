import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRejection, manualClock } from '@latchkey/core/testing'
import { encodeErrorResult } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const contract = '0x0000000000000000000000000000000000001271'
const receipt = {
  transactionHash: hash,
  transactionIndex: '0x0',
  blockHash: hash,
  blockNumber: '0x10',
  from: contract,
  to: contract,
  cumulativeGasUsed: '0x1',
  gasUsed: '0x1',
  effectiveGasPrice: '0x1',
  logs: [],
  logsBloom: '0x',
  type: '0x2',
  status: '0x1',
}
const transaction = {
  hash,
  from: contract,
  to: contract,
  input: '0x',
  value: '0x0',
  gas: '0x1',
  nonce: '0x0',
  type: '0x2',
  blockNumber: '0x10',
  chainId: '0x1',
}

/** An error of JSON-RPC. */
class Refusal {
  readonly error: object

  constructor(error: object) {
    this.error = error
  }
}

type Responses = Record<string, unknown>

/** A chain whose endpoint has a configured response per method, until it is disconnected. */
async function setUp(responses: Responses) {
  const requests: string[] = []
  const clock = manualClock()
  let cut = false
  const server = createServer(async (request, response) => {
    if (cut) return void request.socket.destroy()
    const { id, method } = JSON.parse((await request.toArray()).join(''))
    requests.push(method)
    const configured = responses[method]
    const outcome = configured instanceof Refusal ? configured : { result: configured ?? null }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server always has an address of this form while it listens.
  const { port } = server.address() as AddressInfo
  const chain = { ...mainnet, rpcUrls: { default: { http: [`http://127.0.0.1:${port}`] } } }
  const adapter = evm({ chains: [chain], clock })
  const [network] = adapter.networks
  return { adapter, network, requests, responses, clock, cutOff: (now = true) => void (cut = now) }
}

async function reasonOf(refusal: unknown): Promise<unknown> {
  const { adapter, network } = await setUp({
    eth_getTransactionReceipt: { ...receipt, status: '0x0' },
    eth_getTransactionByHash: transaction,
    eth_call: refusal,
  })
  const failure = await getRejection(adapter.waitForReceipt(network, hash, { timeout: 1_000 }))
  expect(failure).toMatchObject({ code: 'transaction/reverted', context: { hash } })
  return Reflect.get(Object(Reflect.get(Object(failure), 'context')), 'reason')
}

function errorData(reason: string) {
  const abi = [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }] as const
  return encodeErrorResult({ abi, errorName: 'Error', args: [reason] })
}

test.each([
  ['in the error data', { code: 3, message: 'execution reverted', data: errorData('too late') }],
  ['in nested error data', { code: -32603, message: 'execution reverted', data: { data: errorData('too late') } }],
  ['in the error message only', { code: -32000, message: 'execution reverted: too late' }],
])('a revert reason is found %s [R8.3.8]', async (_, error) => {
  expect(await reasonOf(new Refusal(error))).toContain('too late')
})

test('a revert reason is short and on one line', async () => {
  const data = errorData(`Your wallet\n\u202Eis empty${'!'.repeat(10_000)}`)
  const reason = String(await reasonOf(new Refusal({ code: 3, message: 'execution reverted', data })))
  expect(reason).toMatch(/^Your wallet is empty!+$/)
  expect(reason.length).toBeLessThanOrEqual(200)
})

test.each([
  ['the node executes the call without a revert', '0x'],
  ['the contract reverts without data', new Refusal({ code: 3, message: 'execution reverted', data: '0x' })],
  [
    'the contract reverts with a custom error',
    new Refusal({ code: 3, message: 'execution reverted', data: '0xdeadbeef' }),
  ],
  ['the node returns an error other than a revert', new Refusal({ code: -32601, message: 'Method not found' })],
])('a revert reason is unknown if %s [R8.3.8]', async (_, response) => {
  expect(await reasonOf(response)).toBe('unknown reason')
})

test('waitForReceipt polls each second, and survives an endpoint that is down', async () => {
  const { adapter, network, requests, responses, clock, cutOff } = await setUp({})
  const waiting = adapter.waitForReceipt(network, hash, { timeout: 60_000 })
  await expect.poll(() => requests.length).toBe(1)
  cutOff()
  await expect.poll(() => clock.waiting()).toBe(2)
  clock.advance(1_000)
  await expect.poll(() => clock.waiting()).toBe(2)
  cutOff(false)
  responses['eth_getTransactionReceipt'] = receipt
  clock.advance(1_000)
  expect(await waiting).toEqual({ hash, blockNumber: 16n })
  expect(clock.waiting()).toBe(0)
})

test('waitForReceipt rejects as pending after the timeout, and stops polling', async () => {
  const { adapter, network, requests, clock } = await setUp({})
  const failure = getRejection(adapter.waitForReceipt(network, hash, { timeout: 5_000 }))
  await expect.poll(() => clock.waiting()).toBe(2)
  clock.advance(1_000)
  await expect.poll(() => [requests.length, clock.waiting()]).toEqual([2, 2])
  clock.advance(4_000)
  expect(await failure).toMatchObject({ code: 'transaction/pending', context: { hash, seconds: 5 } })
  expect(clock.waiting()).toBe(0)
})

test('waitForReceipt stops polling after an abort', async () => {
  const { adapter, network, clock } = await setUp({})
  const attempt = new AbortController()
  const options = { timeout: 3_600_000, signal: attempt.signal }
  const failure = getRejection(adapter.waitForReceipt(network, hash, options))
  await expect.poll(() => clock.waiting()).toBe(2)
  attempt.abort()
  expect(await failure).toMatchObject({ code: 'transaction/pending' })
  expect(clock.waiting()).toBe(0)
})

test('verifyMessage verifies a key’s signature without the chain', async () => {
  const { adapter, network, requests } = await setUp({})
  const signer = privateKeyToAccount(`0x${'01'.repeat(32)}`)
  const signature = await signer.signMessage({ message: 'Hello' })
  expect(await adapter.verifyMessage(network, signer.address, 'Hello', signature)).toBe(true)
  expect(requests).toEqual([])
})

test('verifyMessage rejects if the chain is unreachable', async () => {
  const { adapter, network, cutOff } = await setUp({})
  cutOff()
  const verifying = adapter.verifyMessage(network, contract, 'Hello', `0x${'11'.repeat(65)}`)
  await expect(verifying).rejects.toMatchObject({ code: 'rpc/unreachable', context: { network: 'Ethereum' } })
})

test.each(['0x', 'many', 7, null, {}])('getBalance rejects %j as invalid', async (response) => {
  const { adapter, network } = await setUp({ eth_getBalance: response })
  await expect(adapter.getBalance(network, contract)).rejects.toMatchObject({ code: 'rpc/unreachable' })
})
