import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { encodeFunctionData, keccak256, parseAbi, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { createChainRpc, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { NoEndpointError } from '../../kit/chain/postJsonRpc.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import type { SandboxPurchase, SandboxStore } from './sandboxStore.ts'

const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

/** Time for which a payment waits for its delivery before the page says that it is on the way, in milliseconds. */
const payoutTimeoutMs = 6_000
const pollIntervalMs = 50

export type TreasuryDependencies = {
  key: Hex
  chains: readonly Chain[]
  pools: EndpointPools
  store: SandboxStore
  log: FastifyBaseLogger
}

/** Pays out purchases. */
export type Treasury = {
  /**
   * Advances a purchase: signs, sends, and looks up the receipt. Idempotent, even across processes: the signed
   * transaction is stored before it is sent, and no other transaction is ever sent for the purchase.
   *
   * @param options `waits` keeps polling for a few seconds until the payout is mined
   */
  settle(id: string, options?: { waits: boolean }): Promise<void>
}

type Payout = {
  account: PrivateKeyAccount
  store: SandboxStore
  rpc: ChainRpc
  chain: Chain
  purchase: SandboxPurchase
}

/** Creates the treasury of an account on development chains. */
export function createTreasury({ key, chains, pools, store, log }: TreasuryDependencies): Treasury {
  const account = privateKeyToAccount(key)
  const pending = new Map<string, Promise<void>>()

  async function settleNow(id: string, waits: boolean): Promise<void> {
    const until = Date.now() + (waits ? payoutTimeoutMs : 0)
    do {
      const purchase = await store.byId(id)
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === purchase?.chain)
      if (purchase === undefined || chain === undefined) return
      const payout = { account, store, rpc: createChainRpc(pools.get(chain)), chain, purchase }
      if (purchase.status === 'paid') await payOut(payout)
      else if (purchase.status !== 'sent' || (await isSettled(payout))) return
      else await sleep(pollIntervalMs)
    } while (Date.now() < until)
  }

  return {
    async settle(id, { waits } = { waits: false }) {
      const running = pending.get(id)
      if (running !== undefined) return running
      const settling = settleNow(id, waits)
        .catch((error: unknown) => log.warn({ err: error, purchase: id }, 'a payout failed'))
        .finally(() => pending.delete(id))
      pending.set(id, settling)
      return settling
    },
  }
}

/** Signs the payout, stores it and sends it. */
async function payOut(payout: Payout): Promise<void> {
  const { store, rpc, purchase } = payout
  const signed = await signPayout(payout)
  if (signed === undefined) return void (await store.step(purchase.id, 'paid', 'refunded'))
  // If another purchase took the nonce, the next attempt uses a new one.
  if (await store.sign(purchase.id, signed)) await sendRawTransaction(rpc, signed.raw)
}

/** @returns undefined if the treasury cannot pay */
async function signPayout(payout: Payout): Promise<{ nonce: number; raw: Hex; hash: Hex } | undefined> {
  const { account, store, rpc, chain, purchase } = payout
  const call = toTransferCall(purchase.token, purchase.receiver, purchase.units ?? 0n)
  const [count, block, balance] = await rpc.batch([
    ['eth_getTransactionCount', [account.address, 'pending']],
    ['eth_getBlockByNumber', ['latest', false]],
    ['eth_getBalance', [account.address, 'pending']],
  ])
  const gas = await estimateGas(rpc, { from: account.address, ...call })
  const maxFeePerGas = getBaseFee(block) * 2n + tip
  if (gas === undefined || BigInt(call.value) + gas * maxFeePerGas > BigInt(String(balance))) return undefined
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

/** True if the payout reached a final status. A transaction that the node dropped is sent again, unchanged. */
async function isSettled({ account, store, rpc, purchase }: Payout): Promise<boolean> {
  const { id, hash, raw, nonce = 0 } = purchase
  const [count, receipt] = await rpc.tryBatch([
    ['eth_getTransactionCount', [account.address, 'latest']],
    ['eth_getTransactionReceipt', [hash]],
  ])
  const status = typeof receipt === 'object' && receipt !== null ? Reflect.get(receipt, 'status') : undefined
  if (status !== undefined) {
    await store.step(id, 'sent', status === '0x1' ? 'arrived' : 'refunded')
    return true
  }
  // Another transaction used the nonce. Look up our receipt once more, after that is known.
  if (typeof count === 'string' && Number(count) > nonce && !(await isMined(rpc, hash))) await store.unsign(id)
  else await sendRawTransaction(rpc, raw ?? '0x')
  return false
}

async function sendRawTransaction(rpc: ChainRpc, raw: string): Promise<void> {
  // Nodes report "already known" as an error. Only the receipt decides.
  await rpc.tryBatch([['eth_sendRawTransaction', [raw]]]).catch((error: unknown) => {
    if (!(error instanceof NoEndpointError)) throw error
  })
}

const tip = 1_000_000_000n

function toTransferCall(token: string, receiver: string, units: bigint): { to: Hex; value: Hex; data: Hex } {
  // Both were checked to be addresses when the purchase was created.
  if (token === '') return { to: receiver as Hex, value: `0x${units.toString(16)}`, data: '0x' }
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [receiver as Hex, units] })
  return { to: token as Hex, value: '0x0', data }
}

/** @returns undefined if the transfer would fail: the treasury is empty, or the token rejects it */
async function estimateGas(rpc: ChainRpc, call: object): Promise<bigint | undefined> {
  const [gas] = await rpc.tryBatch([['eth_estimateGas', [call]]])
  return typeof gas === 'string' ? BigInt(gas) : undefined
}

async function isMined(rpc: ChainRpc, hash: string | undefined): Promise<boolean> {
  const [receipt] = await rpc.batch([['eth_getTransactionReceipt', [hash]]]).catch(() => [undefined])
  return receipt !== undefined && receipt !== null
}

function getBaseFee(block: unknown): bigint {
  const fee = typeof block === 'object' && block !== null ? Reflect.get(block, 'baseFeePerGas') : undefined
  return typeof fee === 'string' ? BigInt(fee) : tip
}
