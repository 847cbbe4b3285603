import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { encodeFunctionData, keccak256, parseAbi, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainRpc, type ChainRpc } from '../../kit/chainRpc.ts'
import type { Chain } from '../../kit/chains.ts'
import { NoEndpoint } from '../../kit/rpc.ts'
import type { Pools } from '../../kit/pools.ts'
import type { SandboxPurchase, SandboxStore } from './store.ts'

const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

/** Milliseconds: how long a payment waits for its coins to arrive before it says that they are on their way. */
const patience = 6_000
const pause = 50

export type TreasuryParts = {
  key: Hex
  chains: readonly Chain[]
  pools: Pools
  store: SandboxStore
  log: FastifyBaseLogger
}

/** Pays out what was paid for. */
export type Treasury = {
  /**
   * Takes a purchase as far as it goes now: signs, sends, looks whether it was mined. It may be asked any number of times,
   * in any number of processes: a purchase is paid out once, because the signed transaction is written down before it is
   * sent, and only that one is ever sent.
   */
  settle(id: string, options?: { patiently: boolean }): Promise<void>
}

/** Makes the treasury of an account on development chains. */
export function createTreasury({ key, chains, pools, store, log }: TreasuryParts): Treasury {
  const account = privateKeyToAccount(key)
  const running = new Map<string, Promise<void>>()

  async function settleNow(id: string, patiently: boolean): Promise<void> {
    const until = Date.now() + (patiently ? patience : 0)
    do {
      const purchase = await store.byId(id)
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === purchase?.chain)
      if (purchase === undefined || chain === undefined) return
      const rpc = createChainRpc(pools.of(chain))
      if (purchase.status === 'paid') await pay(rpc, chain, purchase)
      else if (purchase.status !== 'sent' || (await isOver(rpc, purchase))) return
      else await sleep(pause)
    } while (Date.now() < until)
  }

  /** Signs for what is owed, and sends it. */
  async function pay(rpc: ChainRpc, chain: Chain, purchase: SandboxPurchase): Promise<void> {
    const signed = await sign(rpc, chain, purchase)
    if (signed === 'refused') return void (await store.step(purchase.id, 'paid', 'refunded'))
    // Another purchase took the number: the next look takes another.
    if (await store.sign(purchase.id, signed)) await send(rpc, signed.raw)
  }

  async function sign(
    rpc: ChainRpc,
    chain: Chain,
    { token, receiver, units = 0n }: SandboxPurchase,
  ): Promise<{ nonce: number; raw: Hex; hash: Hex } | 'refused'> {
    const call = callOf(token, receiver, units)
    const [count, block, held] = await rpc.ask([
      ['eth_getTransactionCount', [account.address, 'pending']],
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getBalance', [account.address, 'pending']],
    ])
    const gas = await estimate(rpc, { from: account.address, ...call })
    const maxFeePerGas = baseFeeOf(block) * 2n + tip
    if (gas === undefined || BigInt(call.value) + gas * maxFeePerGas > BigInt(String(held))) return 'refused'
    const nonce = Math.max(Number(count), await store.nextNonce(chain.caipNetworkId))
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: Number(chain.caipNetworkId.slice('eip155:'.length)),
      nonce,
      to: call.to,
      value: BigInt(call.value),
      data: call.data,
      gas: (gas * 12n) / 10n,
      maxPriorityFeePerGas: tip,
      maxFeePerGas,
    })
    return { nonce, raw, hash: keccak256(raw) }
  }

  /** Whether a transaction came to its end. One that was forgotten is sent again: the very same. */
  async function isOver(rpc: ChainRpc, { id, hash, raw, nonce = 0 }: SandboxPurchase): Promise<boolean> {
    const [count, receipt] = await rpc.tryAll([
      ['eth_getTransactionCount', [account.address, 'latest']],
      ['eth_getTransactionReceipt', [hash]],
    ])
    const status = typeof receipt === 'object' && receipt !== null ? Reflect.get(receipt, 'status') : undefined
    if (status !== undefined) {
      await store.step(id, 'sent', status === '0x1' ? 'arrived' : 'refunded')
      return true
    }
    // Another transaction has the number, and the receipt of ours was looked for after that was known.
    if (typeof count === 'string' && Number(count) > nonce && !(await isMined(rpc, hash))) await store.unsign(id)
    else await send(rpc, raw ?? '0x')
    return false
  }

  async function send(rpc: ChainRpc, raw: string): Promise<void> {
    // "Already known" is an error of nodes; whatever a node says, the receipt decides.
    await rpc.tryAll([['eth_sendRawTransaction', [raw]]]).catch((error: unknown) => {
      if (!(error instanceof NoEndpoint)) throw error
    })
  }

  return {
    async settle(id, { patiently } = { patiently: false }) {
      const present = running.get(id)
      if (present !== undefined) return present
      const settling = settleNow(id, patiently)
        .catch((error: unknown) => log.warn({ err: error, purchase: id }, 'coins could not be sent now'))
        .finally(() => running.delete(id))
      running.set(id, settling)
      return settling
    },
  }
}

const tip = 1_000_000_000n

function callOf(token: string, receiver: string, units: bigint): { to: Hex; value: Hex; data: Hex } {
  // Both were checked to be addresses when the purchase was begun.
  if (token === '') return { to: receiver as Hex, value: `0x${units.toString(16)}`, data: '0x' }
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [receiver as Hex, units] })
  return { to: token as Hex, value: '0x0', data }
}

/** What it takes; undefined when it cannot be done: the treasury is empty, or the token refuses. */
async function estimate(rpc: ChainRpc, call: object): Promise<bigint | undefined> {
  const [gas] = await rpc.tryAll([['eth_estimateGas', [call]]])
  return typeof gas === 'string' ? BigInt(gas) : undefined
}

async function isMined(rpc: ChainRpc, hash: string | undefined): Promise<boolean> {
  const [receipt] = await rpc.ask([['eth_getTransactionReceipt', [hash]]]).catch(() => [undefined])
  return receipt !== undefined && receipt !== null
}

function baseFeeOf(block: unknown): bigint {
  const fee = typeof block === 'object' && block !== null ? Reflect.get(block, 'baseFeePerGas') : undefined
  return typeof fee === 'string' ? BigInt(fee) : tip
}
