import type { Clock } from '@latchkey/core'
import type { Fee, Transfer } from '@latchkey/core/money'
import { isLatchkeyError, transactionError, type Network } from '@latchkey/protocol'
import { getFeeRate } from '../chain/feeRate.ts'
import { listCoins } from './listCoins.ts'
import { getDustLimit } from './virtualSize.ts'
import { getPayer, getReceiverScript, type Payer } from './payer.ts'
import { getPaymentFee, selectCoins } from './selectCoins.ts'

/**
 * Estimates the fee of a payment at the current rate. If the coins don't suffice, it is the fee of spending all of them.
 *
 * @throws LatchkeyError `rpc/unreachable`, `transaction/reverted` if nodes don't relay an amount this small
 */
export async function estimateBitcoinFee(
  clock: Clock | undefined,
  network: Network,
  { from, to, amount }: Transfer,
): Promise<Fee> {
  const payer = getPayer(network, from)
  const receiverScript = getScriptOrOwn(network, to, payer)
  const [{ coins, kept }, feeRate] = await Promise.all([
    listCoins(network, payer.address, clock),
    getFeeRate(network, clock),
  ])
  const least = getDustLimit(receiverScript)
  if (amount > 0n && amount < least) {
    throw transactionError('transaction/reverted', { hash: undefined, reason: `dust: at least ${least} satoshis` })
  }
  const terms = { payer, receiverScript, amount: amount > 0n ? amount : least, feeRate }
  const value = selectCoins(coins, terms)?.fee ?? getPaymentFee(Math.max(coins.length, 1), terms)
  return {
    value,
    price: feeRate,
    rate: { value: formatFeeRate(feeRate), unit: 'sat/vB', baseUnit: 'sat' },
    ...(kept === 0n ? {} : { kept: { amount: kept, reason: 'protected-outputs' } }),
  }
}

/** Formats a rate in satoshis per virtual byte. */
function formatFeeRate(feeRate: bigint): string {
  const thousandths = (feeRate % 1_000n).toString().padStart(3, '0').replace(/0+$/, '')
  return `${feeRate / 1_000n}${thousandths === '' ? '' : `.${thousandths}`}`
}

/** An incomplete or invalid receiver is replaced, so that the form shows a fee before the receiver is known. */
function getScriptOrOwn(network: Network, to: string, payer: Payer): Uint8Array {
  try {
    return getReceiverScript(network, to)
  } catch (error) {
    if (!isLatchkeyError(error, 'address/invalid')) throw error
    return payer.script
  }
}
