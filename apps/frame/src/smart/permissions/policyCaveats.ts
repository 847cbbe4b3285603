import { concat, encodePacked, numberToHex, type Hex } from 'viem'
import type { DelegationContracts } from '../../frameConfig.ts'
import type { Caveat } from './delegation.ts'
import type { Allowance, PermissionPolicy } from './permissionRequest.ts'

/**
 * Translates a policy with a single permission to the caveats that enforce it on the chain. Each limits target, function,
 * data and amount, so that nothing else can be called.
 *
 * @param expiry seconds since the epoch
 * @throws Error if the policy has no permission, or several: the caveats of one delegation apply together
 */
export function policyCaveats(
  policy: PermissionPolicy,
  expiry: number,
  enforcers: DelegationContracts['enforcers'],
): readonly Caveat[] {
  const caveats: Caveat[] = []
  const add = (enforcer: Hex, terms: Hex): void => void caveats.push({ enforcer, terms, args: '0x' })
  const { native, tokens, calls } = policy
  if ((native === undefined ? 0 : 1) + tokens.length + calls.length !== 1)
    throw new Error('A delegation has exactly one permission.')
  if (native !== undefined) {
    add(enforcers.nativeTokenPeriodTransfer, allowanceTerms(native))
    add(enforcers.exactCalldata, '0x')
  }
  for (const token of tokens) {
    add(enforcers.erc20PeriodTransfer, encodePacked(['address', 'bytes'], [token.address, allowanceTerms(token)]))
    add(enforcers.valueLte, toWord(0n))
  }
  for (const { address, functions, most } of calls) {
    add(enforcers.allowedTargets, encodePacked(['address'], [address]))
    add(enforcers.allowedMethods, concat(functions.map(({ selector }) => selector)))
    add(enforcers.nativeTokenTransferAmount, toWord(most))
  }
  // Valid at once, and until the expiry: two times of 128 bits.
  add(enforcers.timestamp, concat([numberToHex(0, { size: 16 }), numberToHex(expiry, { size: 16 })]))
  return caveats
}

/** The enforcers refuse a start of zero. */
function allowanceTerms({ most, period, start }: Allowance): Hex {
  return concat([toWord(most), toWord(BigInt(period)), toWord(BigInt(Math.max(start, 1)))])
}

function toWord(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
}
