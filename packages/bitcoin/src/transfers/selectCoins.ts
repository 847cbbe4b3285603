import { getDustLimit, getFee, getVirtualSize, type PayerKind } from './virtualSize.ts'

/** An unspent output of the payer. */
export type Coin = {
  readonly txid: string
  readonly index: number
  /** Satoshis. */
  readonly amount: bigint
  readonly isConfirmed: boolean
}

/** The terms of a payment that decide which coins it spends. */
export type PaymentTerms = {
  readonly payer: { readonly kind: PayerKind; readonly script: Uint8Array }
  readonly receiverScript: Uint8Array
  /** Satoshis. */
  readonly amount: bigint
  /** Satoshis per 1,000 virtual bytes. */
  readonly feeRate: bigint
}

/** The coins of a payment. The coins hold exactly the amount, the fee and the change. */
export type CoinSelection = {
  readonly coins: readonly Coin[]
  readonly fee: bigint
  /** Returns to the payer; 0 without an output for it. */
  readonly change: bigint
}

/**
 * Selects the coins of a payment: confirmed ones if they suffice; the smallest single coin that suffices, else the
 * largest ones. Change that costs more than it holds is added to the fee.
 *
 * @returns undefined if the coins hold less than the amount and the fee
 */
export function selectCoins(coins: readonly Coin[], terms: PaymentTerms): CoinSelection | undefined {
  const confirmed = coins.filter(({ isConfirmed }) => isConfirmed)
  return selectAmong(confirmed, terms) ?? (confirmed.length < coins.length ? selectAmong(coins, terms) : undefined)
}

function selectAmong(coins: readonly Coin[], terms: PaymentTerms): CoinSelection | undefined {
  const ascending = coins.toSorted((one, other) => (one.amount < other.amount ? -1 : 1))
  for (const coin of ascending) {
    const selection = balanceCoins([coin], coin.amount, terms)
    if (selection !== undefined) return selection
  }
  const taken: Coin[] = []
  let total = 0n
  for (const coin of ascending.toReversed()) {
    taken.push(coin)
    total += coin.amount
    const selection = balanceCoins(taken, total, terms)
    if (selection !== undefined) return { ...selection, coins: [...taken] }
  }
  return undefined
}

/** Divides the total of coins into amount, fee and change. Returns undefined if the total is too small. */
function balanceCoins(coins: readonly Coin[], total: bigint, terms: PaymentTerms): CoinSelection | undefined {
  const { payer, amount } = terms
  const change = total - amount - getPaymentFee(coins.length, terms, 'change')
  if (change > getDustLimit(payer.script)) return { coins, fee: total - amount - change, change }
  const fee = total - amount
  return fee >= getPaymentFee(coins.length, terms) ? { coins, fee, change: 0n } : undefined
}

/** Returns the fee of a payment with a number of coins, with or without an output for change. */
export function getPaymentFee(
  inputs: number,
  { payer, receiverScript, feeRate }: Omit<PaymentTerms, 'amount'>,
  rest: 'change' | 'none' = 'none',
): bigint {
  const outputs = [receiverScript.length, ...(rest === 'change' ? [payer.script.length] : [])]
  return getFee(getVirtualSize({ payer: payer.kind, inputs, outputs }), feeRate)
}
