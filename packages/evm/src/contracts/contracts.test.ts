import {
  connect,
  createLatchkey,
  memoryStorage,
  readContract,
  readContracts,
  signTypedData,
  start,
  waitForTransaction,
  writeContract,
  type Latchkey,
} from '@latchkey/core'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getRejection } from '@latchkey/core/testing'
import { announce, type SimulatedExtension } from '@latchkey/testkit'
import { getField, isLatchkeyError } from '@latchkey/protocol'
import { erc20Abi, parseAbi, verifyTypedData, type Address, type Chain } from 'viem'
import { afterAll, beforeAll, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { alice, bob, createTestExtension } from '../testing/createTestExtension.ts'
import { startTestChain, type TestChain } from '../testing/startTestChain.ts'

const tokenAbi = [
  ...erc20Abi,
  ...parseAbi([
    'function mint(address to, uint256 amount)',
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  ]),
] as const

let bench: TestChain
let token: Address
beforeAll(async () => {
  bench = await startTestChain()
  token = await bench.deploy('LocalToken', ['Local token', 'LOC', 18, [alice], 1000n])
})
afterAll(() => bench.stop())

/** An app with a wallet that is on the local chain. */
async function setUp({ chains }: { chains?: readonly [Chain, ...Chain[]] } = {}): Promise<{
  latchkey: Latchkey
  extension: SimulatedExtension
}> {
  const extension = createTestExtension(bench.proxy.url)
  const page = new EventTarget()
  announce(extension, page)
  const latchkey = createLatchkey({
    adapters: [evm({ chains: chains ?? [bench.chain], page })],
    storage: memoryStorage(),
  })
  onTestFinished(start(latchkey))
  return { latchkey, extension }
}

async function setUpConnected(options: Parameters<typeof setUp>[0] = {}) {
  const world = await setUp(options)
  await connect(world.latchkey, 'dev.wallet')
  return world
}

test('readContract returns typed values without a connected wallet', async () => {
  const { latchkey } = await setUp()
  const balance = await readContract(latchkey, {
    abi: tokenAbi,
    address: token,
    functionName: 'balanceOf',
    args: [alice],
  })
  const name = await readContract(latchkey, { abi: tokenAbi, address: token, functionName: 'name' })
  expectTypeOf(balance).toEqualTypeOf<bigint>()
  expectTypeOf(name).toEqualTypeOf<string>()
  expect({ balance, name }).toEqual({ balance: 1000n, name: 'Local token' })
})

test('readContract explains calls that do not match the interface, and addresses without a contract', async () => {
  const { latchkey } = await setUp()
  const wrong: readonly unknown[] = ['not an address']
  const failures = [
    readContract(latchkey, {
      abi: tokenAbi as readonly unknown[],
      address: token,
      functionName: 'balanceOf',
      args: wrong,
    }),
    readContract(latchkey, { abi: tokenAbi as readonly unknown[], address: token, functionName: 'missing' }),
    readContract(latchkey, { abi: tokenAbi, address: bob, functionName: 'name' }),
    readContract(latchkey, { abi: tokenAbi, address: 'nothing', functionName: 'name' }),
  ]
  const codes = await Promise.all(failures.map(async (failure) => getField(await getRejection(failure), 'code')))
  expect(codes).toEqual(['contract/call-invalid', 'contract/call-invalid', 'contract/not-found', 'address/invalid'])
})

test('readContract reports a network that can not be reached, and one that the app does not know', async () => {
  const { latchkey } = await setUp()
  const call = { abi: tokenAbi, address: token, functionName: 'name' } as const
  expect(await getRejection(readContract(latchkey, call, { chainId: 'eip155:5' }))).toMatchObject({
    code: 'network/not-found',
  })
  bench.proxy.disconnect()
  onTestFinished(bench.proxy.reconnect)
  expect(await getRejection(readContract(latchkey, call))).toMatchObject({ code: 'rpc/unreachable' })
  expect(await getRejection(readContracts(latchkey, [call]))).toMatchObject({ code: 'rpc/unreachable' })
})

/** Puts Multicall3 on the local chain. viem includes its code, but does not export it. */
async function withMulticall(): Promise<readonly [Chain]> {
  const file = join(dirname(createRequire(import.meta.url).resolve('viem')), 'constants/contracts.js')
  const [, creation] = /multicall3Bytecode = '(0x[0-9a-f]+)'/.exec(await readFile(file, 'utf8')) ?? []
  const address = '0xcA11bde05977b3631167028862bE2a173976CA11'
  await bench.request('anvil_setCode', address, await bench.request('eth_call', { data: creation }, 'latest'))
  return [{ ...bench.chain, contracts: { multicall3: { address } } }]
}

test.each([
  ['one request for each call', async () => undefined],
  ['Multicall3', withMulticall],
])('readContracts with %s returns a result or an error for each call, in order', async (_, chainsOf) => {
  const { latchkey } = await setUp({ chains: await chainsOf() })
  const results = await readContracts(latchkey, [
    { abi: tokenAbi, address: token, functionName: 'symbol' },
    { abi: tokenAbi, address: bob, functionName: 'totalSupply' },
    { abi: tokenAbi, address: token, functionName: 'balanceOf', args: [alice] },
  ])
  expectTypeOf(results[0].result).toEqualTypeOf<string | undefined>()
  expectTypeOf(results[2].result).toEqualTypeOf<bigint | undefined>()
  expect(results).toEqual([
    { status: 'success', result: 'LOC' },
    { status: 'failure', error: expect.objectContaining({ code: 'contract/not-found' }) },
    { status: 'success', result: 1000n },
  ])
})

test('writeContract sends a call, and waitForTransaction returns its receipt', async () => {
  const { latchkey } = await setUpConnected()
  const hash = await writeContract(latchkey, { abi: tokenAbi, address: token, functionName: 'mint', args: [bob, 5n] })
  const { blockNumber } = await waitForTransaction(latchkey, hash, { chainId: 'eip155:31337' })
  expect(blockNumber).toBeGreaterThan(0n)
  const call = { abi: tokenAbi, address: token, functionName: 'balanceOf', args: [bob] } as const
  expect(await readContract(latchkey, call)).toBe(5n)
})

const tooMuch = { abi: tokenAbi, functionName: 'transfer', args: [bob, 5000n] } as const

test('writeContract throws the decoded error of the contract before the wallet asks the user', async () => {
  const { latchkey, extension } = await setUpConnected()
  const failure = await getRejection(writeContract(latchkey, { ...tooMuch, address: token }))
  if (!isLatchkeyError(failure, 'contract/reverted')) throw failure
  expect(failure.context.error).toEqual({ name: 'ERC20InsufficientBalance', args: [alice, 1000n, 5000n] })
  expect(failure.context.reason).toBe(`ERC20InsufficientBalance(${alice}, 1000, 5000)`)
  expect(extension.requests.map(({ method }) => method)).not.toContain('eth_sendTransaction')
})

test('a call with a gas limit is not simulated, and its mined revert is decoded with the ABI', async () => {
  const { latchkey } = await setUpConnected()
  const hash = await writeContract(latchkey, { ...tooMuch, address: token, gas: 100_000n })
  const failure = await getRejection(waitForTransaction(latchkey, hash, { abi: tokenAbi }))
  if (!isLatchkeyError(failure, 'transaction/reverted')) throw failure
  expect(failure.context.error).toEqual({ name: 'ERC20InsufficientBalance', args: [alice, 1000n, 5000n] })
})

test('writeContract reports a declined request and an unknown network', async () => {
  const { latchkey, extension } = await setUpConnected()
  const call = { abi: tokenAbi, address: token, functionName: 'mint', args: [bob, 1n] } as const
  extension.rejectNext()
  expect(await getRejection(writeContract(latchkey, call))).toMatchObject({ code: 'request/rejected' })
  extension.setChain(31_338)
  await expect.poll(() => getRejection(writeContract(latchkey, call))).toMatchObject({ code: 'network/not-found' })
  await writeContract(latchkey, call, { chainId: 'eip155:31337' })
  expect(extension.requests.map(({ method }) => method)).toContain('wallet_switchEthereumChain')
})

test('writeContract asks the wallet if the nodes of the app can not simulate the call', async () => {
  const { latchkey, extension } = await setUpConnected({
    chains: [{ ...bench.chain, rpcUrls: { default: { http: ['http://127.0.0.1:9'] } } }],
  })
  await writeContract(latchkey, { abi: tokenAbi, address: token, functionName: 'mint', args: [bob, 1n] })
  expect(extension.requests.at(-1)?.method).toBe('eth_sendTransaction')
})

const mail = {
  domain: { name: 'Mail', version: '1', chainId: 31_337n },
  types: {
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Mail',
  message: { to: bob, amount: 12_345_678_901_234_567_890n },
} as const

test('signTypedData returns a signature that verifies, and rejects messages that do not match their types', async () => {
  const { latchkey } = await setUpConnected()
  const signature = await signTypedData(latchkey, mail)
  expect(await verifyTypedData({ ...mail, address: alice, signature: signature as `0x${string}` })).toBe(true)
  const broken = { ...mail, types: { ...mail.types } as Readonly<Record<string, unknown>>, message: { to: 'nobody' } }
  expect(await getRejection(signTypedData(latchkey, broken))).toMatchObject({ code: 'contract/call-invalid' })
})
