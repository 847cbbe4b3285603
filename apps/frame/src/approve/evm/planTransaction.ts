import type { Chain } from '../../chain/chain.ts'
import { rpcErrors, RpcError } from '../../chain/rpcError.ts'
import { toQuantity, formatQuantity } from './parseQuantity.ts'
import type { Call } from './describeCall.ts'
import { revertReason } from './revertReason.ts'
import { getMember } from '../../platform/getMember.ts'

/** Gas, nonce and fees of a transaction. */
export type TransactionPlan = {
  readonly gas: bigint
  readonly nonce: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** True if the price or the gas is far above what networks use, no matter who set it. */
  readonly isExcessive: boolean
}

/** The page's own values. */
export type RequestedGas = {
  readonly gas?: bigint
  readonly nonce?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
}

/** Gas of a plain payment. It is exact, so no margin is added. */
const transferGas = 21_000n
/**
 * Higher values come from a faulty or malicious node or page. Prices are in wei. A tip is paid in full, unlike the base fee, so a
 * node's lie about it costs the user money: a high tip needs a base fee that explains it [P-12].
 */
const maxPlausible = { perGas: 5_000n * 10n ** 9n, timesUsual: 5n, tip: 100n * 10n ** 9n, timesBase: 5n } as const
/** No network has a block for more. */
const maxPlausibleGas = 1_000_000_000n
const maxNonce = 2n ** 53n - 1n

/**
 * Plans a transaction with concurrent requests.
 *
 * @throws RpcError -32000 with the reason if the transaction would fail or can't be paid, -32603 if the network doesn't
 *   respond, or responds for another network [P-12]
 */
export async function planTransaction(
  chain: Chain,
  chainId: string,
  { from, call, wishes }: { from: string; call: Call; wishes: RequestedGas },
): Promise<TransactionPlan> {
  const { to, value, data } = call
  const transaction = { from, ...(to !== undefined && { to }), value: formatQuantity(value), data }
  const [id, estimate, block, tip, count, balance] = await Promise.all([
    chain.request(chainId, 'eth_chainId', []),
    chain.request(chainId, 'eth_estimateGas', [transaction]).catch((error: unknown) => {
      throw toPlanError(error)
    }),
    chain.request(chainId, 'eth_getBlockByNumber', ['latest', false]),
    chain.request(chainId, 'eth_maxPriorityFeePerGas', []).catch(() => undefined),
    chain.request(chainId, 'eth_getTransactionCount', [from, 'pending']),
    chain.request(chainId, 'eth_getBalance', [from, 'latest']),
  ])
  // Fees, balances and effects of another network would be shown as those of this one.
  if (requireQuantity(toQuantity(id), 'eth_chainId') !== BigInt(chainId.slice('eip155:'.length))) {
    throw new RpcError(-32603, 'The network’s node belongs to another network. Try again later.')
  }
  const estimated = requireQuantity(toQuantity(estimate), 'eth_estimateGas')
  const price = priceOf(toQuantity(getMember(block, 'baseFeePerGas')) ?? 0n, toQuantity(tip), wishes)
  const gas = wishes.gas ?? (estimated === transferGas ? estimated : (estimated * 5n) / 4n)
  const nonce = wishes.nonce ?? requireQuantity(toQuantity(count), 'eth_getTransactionCount')
  if (nonce > maxNonce) throw rpcErrors.invalid('nonce is too high')
  const owned = requireQuantity(toQuantity(balance), 'eth_getBalance')
  // Some nodes ignore the balance when they estimate.
  if (owned < value + gas * price.maxFeePerGas) {
    throw new RpcError(-32000, 'The balance is insufficient for the amount and the fee.')
  }
  return { gas, nonce: Number(nonce), ...price, isExcessive: price.isExcessive || gas > maxPlausibleGas }
}

/** The base fee rises by at most an eighth per block. One and a half times covers three full blocks. */
function priceOf(
  base: bigint,
  reportedTip: bigint | undefined,
  wishes: RequestedGas,
): Pick<TransactionPlan, 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'isExcessive'> {
  const usualTip = reportedTip ?? 10n ** 9n
  const usual = (base * 3n) / 2n + usualTip
  const maxFeePerGas = wishes.maxFeePerGas ?? usual
  const tip = wishes.maxPriorityFeePerGas ?? usualTip
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
    isExcessive:
      maxFeePerGas > maxPlausible.perGas ||
      maxFeePerGas > usual * maxPlausible.timesUsual ||
      (tip > maxPlausible.tip && tip > base * maxPlausible.timesBase),
  }
}

function requireQuantity(value: bigint | undefined, method: string): bigint {
  if (value === undefined) throw new RpcError(-32603, `The network sent an invalid response to ${method}.`)
  return value
}

/** A reachable node gives a reason. -32603 means that none was reachable. */
function toPlanError(error: unknown): unknown {
  return error instanceof RpcError && error.code !== -32603
    ? rpcErrors.reverted(revertReason(error), error.data)
    : error
}
