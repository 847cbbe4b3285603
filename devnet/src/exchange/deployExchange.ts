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
  type Hex,
} from 'viem'
import { addresses, roles } from '../accounts.ts'
import type { LocalToken } from '../evm/deploy.ts'
import { waitUntilMined } from '../evm/waitUntilMined.ts'
import { readExchangeArtifacts, type Artifact, type ExchangeContract } from './artifacts.ts'
import type { Call, ExchangeNode, LocalExchange } from './localExchange.ts'
import { fillPools } from './fillPools.ts'

/** The deterministic deployer, present on every development chain: the address depends only on the code and the salt. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** Enough for the largest contract. Saves the node a gas estimate per step. */
const gas = 8_000_000n
/** The exchange has no fee receiver and no descriptor for its positions. */
const noOwner = zeroAddress

/**
 * Deploys an exchange with Uniswap v2 and v3 pools and their liquidity. Idempotent.
 *
 * @throws Error if the chain rejects a step
 */
export async function deployExchange(rpcUrl: string, tokens: readonly LocalToken[]): Promise<LocalExchange> {
  const node = connectExchangeNode(rpcUrl)
  const placing = planDeployment(await readExchangeArtifacts())
  const there = await Promise.all(placing.steps.map(({ address }) => node.getCode({ address })))
  await sendInOrder(
    node,
    placing.steps.flatMap(({ call }, index) => (there[index] === undefined ? [call] : [])),
  )
  await sendInOrder(node, await fillPools(node, placing.exchange, tokens))
  return placing.exchange
}

function connectExchangeNode(rpcUrl: string): ExchangeNode {
  // The node signs for its own accounts, so no key is derived. Simultaneous requests share one batch.
  const transport = http(rpcUrl, { batch: true })
  return createTestClient({ mode: 'anvil', account: addresses[roles.deployer], transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

type ExchangeDeployment = { steps: readonly { address: Hex; call: Call }[]; exchange: LocalExchange }

/** Computes the address of each contract and the transaction that deploys it. */
function planDeployment(artifacts: Readonly<Record<ExchangeContract, Artifact>>): ExchangeDeployment {
  const steps: { address: Hex; call: Call }[] = []
  const put = (contract: ExchangeContract, ...args: readonly Hex[]): Hex => {
    const creation = encodeDeployData({ ...artifacts[contract], args })
    const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
    steps.push({ address, call: { to: create2Deployer, data: concat([zeroHash, creation]) } })
    return address
  }
  const wrappedNative = put('wrappedNative')
  const v2Factory = put('v2Factory', noOwner)
  const v2Router = put('v2Router', v2Factory, wrappedNative)
  const factory = put('v3Factory')
  const positions = put('v3Positions', factory, wrappedNative, noOwner)
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

/** Sends one transaction after the other. In a batch, the node occasionally leaves one pending until the next arrives. */
async function sendInOrder(node: ExchangeNode, calls: readonly Call[]): Promise<void> {
  for (const [index, call] of calls.entries()) {
    const { status } = await waitUntilMined(node, await node.sendTransaction({ chain: null, gas, ...call }))
    if (status !== 'success') throw new Error(`The exchange could not be deployed: step ${index + 1} was refused.`)
  }
}
