import type { Call, CallEffect } from '../approve/evm/calls/callEffects.ts'
import { readCall, type CallReading } from '../approve/evm/calls/readCall.ts'
import type { EvmTransaction } from '../worker/keyHolder.ts'
import { joinSpendings, nothingSpent, unknownSpending, type Spending } from './spending.ts'

/**
 * Returns the spending of a transaction: its amount, its effects and its maximum fee. A created contract can do anything.
 */
export function transactionSpending({ chainId, to, value, data, gas, maxFeePerGas }: EvmTransaction): Spending {
  const chain = `eip155:${chainId}`
  const fee = { ...nothingSpent, amounts: [{ asset: chain, units: gas * maxFeePerGas }] }
  return joinSpendings([fee, to === undefined ? unknownSpending : callSpending(chain, { to, value, data })])
}

/**
 * Returns the spending of a call, including the calls within it. Their amounts are added up, even if one pays for the
 * other.
 *
 * @param chain CAIP-2
 */
export function callSpending(chain: string, call: Call & { readonly to: `0x${string}` }): Spending {
  return readingSpending(chain, readCall(call))
}

function readingSpending(chain: string, { to, value, selector, signature, effects, calls }: CallReading): Spending {
  const payment: Spending =
    value === 0n
      ? nothingSpent
      : { amounts: [{ asset: chain, units: value }], receivers: [accountOf(chain, to)], isUnknown: false }
  const isUnread = selector !== undefined && signature === undefined
  return joinSpendings([
    payment,
    isUnread ? unknownSpending : nothingSpent,
    ...effects.map((effect) => effectSpending(chain, effect)),
    ...calls.map((inner) => readingSpending(chain, inner)),
  ])
}

/**
 * Returns the spending of one decoded effect. An allowance counts as spent, because its spender can use it at any time.
 */
export function effectSpending(chain: string, effect: CallEffect): Spending {
  switch (effect.kind) {
    case 'transfer':
      return assetSpending(chain, effect.token, effect.units, effect.to)
    case 'allowance':
      return effect.units === 0n ? nothingSpent : assetSpending(chain, effect.token, effect.units, effect.spender)
    case 'item':
      return assetSpending(chain, effect.collection, effect.count, effect.to)
    case 'operator':
      return effect.isGranted ? unknownSpending : nothingSpent
    case 'payout':
      return { ...unknownSpending, receivers: [accountOf(chain, effect.to)] }
    case 'order':
    case 'incomplete':
    case 'delegates':
    case 'unreadable':
      return unknownSpending
  }
}

function assetSpending(chain: string, contract: string, units: bigint, receiver: string): Spending {
  return {
    amounts: [{ asset: `${chain}/${contract.toLowerCase()}`, units }],
    receivers: [accountOf(chain, receiver)],
    isUnknown: false,
  }
}

const accountOf = (chain: string, address: string): string => `${chain}:${address.toLowerCase()}`
