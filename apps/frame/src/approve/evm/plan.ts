import type { Chain } from '../../chain/chain.ts'
import { refusals, RpcError } from '../../chain/rpcError.ts'
import { quantityOf, read, toHex } from './hex.ts'
import type { Call } from './calls.ts'
import { reasonOf } from './reason.ts'

/** What a transaction is sent with. */
export type Plan = {
  readonly gas: bigint
  readonly nonce: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Whether the price is far above what the network asks at the moment, whoever named it. */
  readonly isDear: boolean
}

/** What the page wants of it. */
export type Wishes = {
  readonly gas?: bigint
  readonly nonce?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
}

/** A payment without data costs this, and nothing else: then there is nothing to be on the safe side of. */
const plainGas = 21_000n
/** Nobody's network asks as much; a node or a page that lies does. In wei. */
const dearest = { perGas: 5_000n * 10n ** 9n, timesUsual: 5n } as const
const mostNonce = 2n ** 53n - 1n

/**
 * Plans a transaction: all is asked at once, one trip to the network.
 *
 * @throws RpcError -32000 with the reason when it would fail or cannot be paid, -32603 when the network does not answer
 */
export async function makePlan(
  chain: Chain,
  chainId: string,
  { from, call, wishes }: { from: string; call: Call; wishes: Wishes },
): Promise<Plan> {
  const { to, value, data } = call
  const transaction = { from, ...(to !== undefined && { to }), value: toHex(value), data }
  const [work, block, tip, count, balance] = await Promise.all([
    chain.ask(chainId, 'eth_estimateGas', [transaction]).catch((error: unknown) => {
      throw failureOf(error)
    }),
    chain.ask(chainId, 'eth_getBlockByNumber', ['latest', false]),
    chain.ask(chainId, 'eth_maxPriorityFeePerGas', []).catch(() => undefined),
    chain.ask(chainId, 'eth_getTransactionCount', [from, 'pending']),
    chain.ask(chainId, 'eth_getBalance', [from, 'latest']),
  ])
  const estimated = required(quantityOf(work), 'eth_estimateGas')
  const price = priceOf(quantityOf(read(block, 'baseFeePerGas')) ?? 0n, quantityOf(tip), wishes)
  const gas = wishes.gas ?? (estimated === plainGas ? estimated : (estimated * 5n) / 4n)
  const nonce = wishes.nonce ?? required(quantityOf(count), 'eth_getTransactionCount')
  if (nonce > mostNonce) throw refusals.invalid('nonce is too high')
  const owned = required(quantityOf(balance), 'eth_getBalance')
  // Not every node looks at the balance when it estimates.
  if (owned < value + gas * price.maxFeePerGas) {
    throw new RpcError(-32000, 'The account has less than it sends and pays.')
  }
  return { gas, nonce: Number(nonce), ...price }
}

/** The base fee rises by an eighth a block at most: half as much again covers three full blocks. */
function priceOf(
  base: bigint,
  told: bigint | undefined,
  wishes: Wishes,
): Pick<Plan, 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'isDear'> {
  const usualTip = told ?? 10n ** 9n
  const usual = (base * 3n) / 2n + usualTip
  const maxFeePerGas = wishes.maxFeePerGas ?? usual
  const tip = wishes.maxPriorityFeePerGas ?? usualTip
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
    isDear: maxFeePerGas > dearest.perGas || maxFeePerGas > usual * dearest.timesUsual,
  }
}

function required(value: bigint | undefined, method: string): bigint {
  if (value === undefined) throw new RpcError(-32603, `The network gave no answer to ${method} that makes sense.`)
  return value
}

/** A node that runs says why; one that is away has said so already. */
function failureOf(error: unknown): unknown {
  return error instanceof RpcError && error.code !== -32603 ? refusals.reverted(reasonOf(error), error.data) : error
}
