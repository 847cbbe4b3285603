import {
  concat,
  createTestClient,
  encodeDeployData,
  getCreate2Address,
  http,
  publicActions,
  walletActions,
  zeroAddress,
  zeroHash,
  type Account,
  type Hex,
  type HttpTransport,
  type PublicActions,
  type TestClient,
  type WalletActions,
} from 'viem'
import { addresses, roles } from '../accounts.ts'
import type { LocalToken } from '../deploy.ts'
import { untilMined } from '../untilMined.ts'
import { readExchangeArtifacts, type Artifact, type ExchangeContract } from './artifacts.ts'
import { fillPools } from './fillPools.ts'

/** The exchange of a local chain: at the same addresses on all of them. */
export type LocalExchange = {
  wrappedNative: Hex
  /** Swaps in pools of both versions. */
  router: Hex
  v2: { factory: Hex; router: Hex }
  v3: { factory: Hex; quoter: Hex; positions: Hex }
}

/** One transaction of the deployer. */
export type Call = { to: Hex; data: Hex; value?: bigint }

/** The chain as the deployment sees it. */
export type ExchangeNode = TestClient<'anvil', HttpTransport, undefined, Account, true> &
  PublicActions<HttpTransport, undefined, Account> &
  WalletActions<undefined, Account>

/** Every development chain has this contract: it deploys what it is sent, at an address that depends on that alone. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** Enough for the largest of them, so that the node need not try each before it sends it. */
const gas = 8_000_000n
/** Nobody takes fees for the exchange itself, and nobody draws its positions. */
const nobody = zeroAddress

/**
 * Deploys an exchange of two kinds of pools with liquidity, as far as it is not there yet.
 *
 * @throws Error when the chain refuses a step
 */
export async function deployExchange(rpcUrl: string, tokens: readonly LocalToken[]): Promise<LocalExchange> {
  const node = connect(rpcUrl)
  const placing = place(await readExchangeArtifacts())
  const there = await Promise.all(placing.steps.map(({ address }) => node.getCode({ address })))
  await sendAll(
    node,
    placing.steps.flatMap(({ call }, index) => (there[index] === undefined ? [call] : [])),
  )
  await sendAll(node, await fillPools(node, placing.exchange, tokens))
  return placing.exchange
}

function connect(rpcUrl: string): ExchangeNode {
  // The node signs for its own accounts, which saves deriving keys; what is asked at once goes there at once.
  const transport = http(rpcUrl, { batch: true })
  return createTestClient({ mode: 'anvil', account: addresses[roles.deployer], transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

type Placing = { steps: readonly { address: Hex; call: Call }[]; exchange: LocalExchange }

/** Where each contract will be, and what puts it there. */
function place(artifacts: Readonly<Record<ExchangeContract, Artifact>>): Placing {
  const steps: { address: Hex; call: Call }[] = []
  const put = (contract: ExchangeContract, ...args: readonly Hex[]): Hex => {
    const creation = encodeDeployData({ ...artifacts[contract], args })
    const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
    steps.push({ address, call: { to: create2Deployer, data: concat([zeroHash, creation]) } })
    return address
  }
  const wrappedNative = put('wrappedNative')
  const v2Factory = put('v2Factory', nobody)
  const v2Router = put('v2Router', v2Factory, wrappedNative)
  const factory = put('v3Factory')
  const positions = put('v3Positions', factory, wrappedNative, nobody)
  const quoter = put('v3Quoter', factory, wrappedNative)
  const router = put('router', v2Factory, factory, positions, wrappedNative)
  const exchange = {
    wrappedNative,
    router,
    v2: { factory: v2Factory, router: v2Router },
    v3: { factory, quoter, positions },
  }
  return { steps, exchange }
}

/** One after the other: of several at once, the node may leave one waiting for the next that comes. */
async function sendAll(node: ExchangeNode, calls: readonly Call[]): Promise<void> {
  for (const [index, call] of calls.entries()) {
    const { status } = await untilMined(node, await node.sendTransaction({ chain: null, gas, ...call }))
    if (status !== 'success') throw new Error(`The exchange could not be deployed: step ${index + 1} was refused.`)
  }
}
