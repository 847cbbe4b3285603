import { parseAccountId } from '@latchkey/protocol'
import { getCapabilities } from '../../requests/sendCalls.ts'
import type { Call } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { findNetwork, getAdapter } from '../../state/getAccount.ts'
import { buildResetCall, checkApprovalCall, checkSwapCall } from './checks.ts'
import { getSwapLimits } from './swapAmounts.ts'
import { buildApproval, buildSwap, fetchAllowance } from './transactions.ts'
import type { SwapCall, SwapQuote, SwapStep } from './state.ts'
import { swapError } from './swapError.ts'

/** The next wallet request, its calls, and the requests that follow. */
export type SwapPlan = {
  readonly step: SwapStep
  readonly calls: readonly SwapCall[]
  /** This step and those after it. */
  readonly steps: readonly SwapStep[]
}

/**
 * Plans the wallet requests of a swap. The approval is simulated on the chain: some tokens (USDT on Ethereum) refuse to
 * change an allowance that is left over, so that one is removed first.
 *
 * @throws LatchkeyError `swap/approval-failed` if the token refuses every approval, `swap/refused`, and the errors of the
 * server's requests
 */
export async function planCalls(latchkey: Latchkey, acceptedQuote: SwapQuote, slippage: number): Promise<SwapPlan> {
  const { from } = acceptedQuote.request
  const { maximum } = getSwapLimits(acceptedQuote, slippage)
  const allowance = from.address === undefined ? undefined : await fetchAllowance(latchkey, acceptedQuote)
  if (allowance === undefined || allowance >= maximum) {
    const call = checkSwapCall(await buildSwap(latchkey, acceptedQuote, slippage, true), acceptedQuote, slippage)
    return { step: 'swap', calls: [call], steps: ['swap'] }
  }
  const approval = checkApprovalCall(await buildApproval(latchkey, acceptedQuote, maximum), acceptedQuote, maximum)
  const resets = await findResets(latchkey, acceptedQuote, approval, allowance)
  if (!(await takesBatches(latchkey, acceptedQuote))) {
    const [reset] = resets
    if (reset !== undefined) return { step: 'reset', calls: [reset], steps: ['reset', 'approve', 'swap'] }
    return { step: 'approve', calls: [approval], steps: ['approve', 'swap'] }
  }
  // The wallet simulates a batch as a whole, so its calls have no gas limit (EIP-5792).
  const built = { ...(await buildSwap(latchkey, acceptedQuote, slippage, false)), gas: undefined }
  const calls = [...resets, approval, checkSwapCall(built, acceptedQuote, slippage)]
  return { step: 'batch', calls, steps: ['batch'] }
}

/** Returns the call that removes the allowance, if the token refuses to change it. */
async function findResets(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  acceptedQuote: SwapQuote,
  approval: Call,
  allowance: bigint,
): Promise<readonly Call[]> {
  const reason = await simulate(latchkey, acceptedQuote, approval)
  if (reason === undefined) return []
  const { symbol } = acceptedQuote.request.from
  if (allowance === 0n) throw swapError('swap/approval-failed', { symbol, reason })
  const reset = buildResetCall(acceptedQuote)
  if ((await simulate(latchkey, acceptedQuote, reset)) === undefined) return [reset]
  throw swapError('swap/approval-failed', { symbol, reason })
}

/** Returns the reason why a call would fail. A chain that can't be reached reports none: the wallet simulates it, too. */
async function simulate(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  { request: { account, chainId } }: SwapQuote,
  call: Call,
): Promise<string | undefined> {
  const { namespace, address } = parseAccountId(account)
  const adapter = getAdapter(latchkey, namespace)
  const network = findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId)
  const transfers = await adapter.transfers?.()
  if (transfers?.simulateCall === undefined) return undefined
  return transfers.simulateCall(network, address, call).catch(() => undefined)
}

/** True if the wallet executes several calls atomically after one confirmation (EIP-5792). */
async function takesBatches(latchkey: Latchkey, { request: { chainId } }: SwapQuote): Promise<boolean> {
  const capabilities = await getCapabilities(latchkey, { chainId }).catch(() => undefined)
  const atomic = capabilities?.[chainId]?.['atomic']
  return typeof atomic === 'object' && atomic !== null && 'status' in atomic && atomic.status === 'supported'
}
