import { connect, createLatchkey, disconnect, memoryStorage, type Latchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { isLatchkeyError } from '@latchkey/protocol'
import {
  LatchkeyProvider,
  useCapabilities,
  useEnsAvatar,
  useEnsName,
  useReadContract,
  useReadContracts,
  useSignTypedData,
  useWaitForTransaction,
  useWriteContract,
} from '@latchkey/react'
import { announce, createSimulatedExtension, requestChain, type SimulatedExtension } from '@latchkey/testkit'
import { StrictMode, type ReactElement, type ReactNode } from 'react'
import { defineChain, erc20Abi, parseAbi, verifyTypedData, type Address, type Chain } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, expectTypeOf, inject, onTestFinished, test } from 'vitest'
import { render, type RenderResult } from 'vitest-browser-react'

const url = inject('chainUrl')
const token = inject('tokenAddress')
const abi = [
  ...erc20Abi,
  ...parseAbi([
    'function mint(address to, uint256 amount)',
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  ]),
] as const

const chain = defineChain({
  id: 31_337,
  name: 'Local chain',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
})
const other: Chain = { ...chain, id: 31_338, name: 'Other chain' }

type World = {
  latchkey: Latchkey
  extension: SimulatedExtension
  owner: Address
  second: Address
  screen: RenderResult
}

/** An app with funded accounts that no other test uses. */
async function setUp(children: ReactNode): Promise<World> {
  const keys = [generatePrivateKey(), generatePrivateKey()] as const
  const [owner, second] = [privateKeyToAddress(keys[0]), privateKeyToAddress(keys[1])]
  for (const address of [owner, second]) await requestChain(url, 'anvil_setBalance', [address, '0xde0b6b3a7640000'])
  const page = new EventTarget()
  const extension = createSimulatedExtension({
    privateKeys: keys,
    rpcUrls: { [chain.id]: url, [other.id]: url },
    chainId: chain.id,
    info: { rdns: 'dev.wallet', name: 'Wallet' },
    batches: 'atomic',
  })
  onTestFinished(announce(extension, page))
  const latchkey = createLatchkey({
    adapters: [evm({ chains: [chain, other], page })],
    storage: memoryStorage(),
    unsupportedNetworks: 'ignore',
  })
  const screen = await render(
    <StrictMode>
      <LatchkeyProvider latchkey={latchkey}>{children}</LatchkeyProvider>
    </StrictMode>,
  )
  return { latchkey, extension, owner, second, screen }
}

async function setUpConnected(children: ReactNode): Promise<World> {
  const world = await setUp(children)
  await expect.poll(() => world.latchkey.connectors.getState()).toHaveLength(1)
  await connect(world.latchkey, 'dev.wallet')
  return world
}

const codeOf = (error: unknown): string => (isLatchkeyError(error) ? error.code : error === null ? '' : String(error))

function Token({ holder }: { holder: Address }): ReactElement {
  const read = useReadContract({ abi, address: token, functionName: 'balanceOf', args: [holder] })
  const many = useReadContracts({
    contracts: [
      { abi, address: token, functionName: 'symbol' },
      { abi, address: holder, functionName: 'decimals' },
    ],
  })
  expectTypeOf(read.data).toEqualTypeOf<bigint | undefined>()
  expectTypeOf(many.data?.[0].result).toEqualTypeOf<string | undefined>()
  const { mutate, data: hash, status, error } = useWriteContract()
  const receipt = useWaitForTransaction({ hash, abi })
  return (
    <>
      <output>
        {[String(read.data), many.data?.map(({ result, error: reason }) => result ?? codeOf(reason))].join(' ')}
      </output>
      <p>{[status, codeOf(error ?? null), receipt.status, codeOf(receipt.error)].join(' ')}</p>
      <button type="button" onClick={() => mutate({ abi, address: token, functionName: 'mint', args: [holder, 7n] })}>
        mint
      </button>
      <button
        type="button"
        onClick={() => mutate({ abi, address: token, functionName: 'transfer', args: [token, 10n ** 30n] })}
      >
        overdraw
      </button>
      <button
        type="button"
        onClick={() =>
          mutate({ abi, address: token, functionName: 'transfer', args: [token, 10n ** 30n], gas: 100_000n })
        }
      >
        force
      </button>
      <button
        type="button"
        onClick={() =>
          mutate({ abi, address: token, functionName: 'mint', args: [holder, 1n] }, { chainId: 'eip155:31337' })
        }
      >
        mint here
      </button>
    </>
  )
}

const holder = privateKeyToAddress(generatePrivateKey())
const pressButton = ({ screen }: World, name: string) => screen.getByRole('button', { name, exact: true }).click()
/** Renders the text of the page. */
const textOf = ({ screen }: World) => screen.getByRole('paragraph')

test('contracts are read without a wallet, and read again after a transaction of the page', async () => {
  const newHolder = privateKeyToAddress(generatePrivateKey())
  const world = await setUpConnected(<Token holder={newHolder} />)
  const status = world.screen.getByRole('status').first()
  await expect.element(status).toHaveTextContent('0 LOC,contract/not-found')
  await expect.element(textOf(world)).toHaveTextContent('idle pending')
  await pressButton(world, 'mint')
  await expect.element(textOf(world)).toHaveTextContent('success success')
  await expect.element(status).toHaveTextContent('7 LOC,contract/not-found')
})

test('a disconnected page reads contracts', async () => {
  const world = await setUp(<Token holder={holder} />)
  await expect.element(world.screen.getByRole('status').first()).toHaveTextContent(/LOC/)
})

test('useWriteContract reports a declined request, a contract error and a missing wallet', async () => {
  const world = await setUpConnected(<Token holder={holder} />)
  world.extension.rejectNext()
  await pressButton(world, 'mint')
  await expect.element(textOf(world)).toHaveTextContent('error request/rejected pending')
  await pressButton(world, 'overdraw')
  await expect.element(textOf(world)).toHaveTextContent('error contract/reverted pending')
  await disconnect(world.latchkey)
  await pressButton(world, 'mint')
  await expect.element(textOf(world)).toHaveTextContent('error connection/not-connected pending')
})

test('useWaitForTransaction reports a mined revert with the error of the contract', async () => {
  const world = await setUpConnected(<Token holder={holder} />)
  await pressButton(world, 'force')
  await expect.element(textOf(world)).toHaveTextContent('success error transaction/reverted')
})

test('a write on a wrong network switches the wallet if it names its chain', async () => {
  const world = await setUpConnected(<Token holder={holder} />)
  world.extension.setChain(1)
  await pressButton(world, 'mint')
  await expect.element(textOf(world)).toHaveTextContent('error network/not-found pending')
  await pressButton(world, 'mint here')
  await expect.element(textOf(world)).toHaveTextContent('success success')
})

test('a pending write keeps its outcome if the account changes in the meantime', async () => {
  const world = await setUpConnected(<Token holder={holder} />)
  world.extension.hold()
  await pressButton(world, 'mint')
  await expect.poll(() => world.extension.requests.at(-1)?.method).toBe('eth_sendTransaction')
  world.extension.setAccounts([generatePrivateKey()])
  await expect.element(textOf(world)).toHaveTextContent('pending pending')
  world.extension.decline()
  await expect.element(textOf(world)).toHaveTextContent('error request/rejected pending')
})

function Signer(): ReactElement {
  const { mutate, data, error } = useSignTypedData()
  const { data: capabilities } = useCapabilities()
  const name = useEnsName()
  const avatar = useEnsAvatar({ name: name.data })
  return (
    <>
      <output>{[JSON.stringify(capabilities), name.status, String(name.data), avatar.fetchStatus].join(' ')}</output>
      <p>{data ?? codeOf(error ?? null)}</p>
      <button type="button" onClick={() => mutate(mail)}>
        sign
      </button>
    </>
  )
}

const mail = {
  domain: { name: 'Mail', chainId: 31_337 },
  types: { Mail: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Mail',
  message: { amount: 12_345_678_901_234_567_890n },
} as const

test('useSignTypedData returns a signature that verifies', async () => {
  const world = await setUpConnected(<Signer />)
  await pressButton(world, 'sign')
  await expect.element(textOf(world)).toHaveTextContent('0x')
  const signature = world.screen.getByRole('paragraph').element().textContent as `0x${string}`
  expect(await verifyTypedData({ ...mail, address: world.owner, signature })).toBe(true)
})

test('useCapabilities lists the capabilities of each chain, and useEnsName is null without ENS', async () => {
  const world = await setUpConnected(<Signer />)
  await expect
    .element(world.screen.getByRole('status').first())
    .toHaveTextContent(/eip155:31337.*atomic.*success null idle/)
})
