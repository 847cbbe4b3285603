import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  hashStruct,
  isAddressEqual,
  parseAbi,
  parseAbiParameters,
  slice,
  type Hex,
} from 'viem'

/** A condition of a delegation. Its enforcer reverts calls that violate the terms. */
export type Caveat = { readonly enforcer: Hex; readonly terms: Hex; readonly args: Hex }

/** The right of another address to make calls as an account (ERC-7710, Delegation Framework 1.3.0). */
export type UnsignedDelegation = {
  readonly delegate: Hex
  /** The account. */
  readonly delegator: Hex
  readonly authority: Hex
  readonly caveats: readonly Caveat[]
  readonly salt: bigint
}

export type Delegation = UnsignedDelegation & { readonly signature: Hex }

/** Domain name of the delegation manager. No page may request a signature in this domain. */
export const delegationDomainName = 'DelegationManager'

/** The delegator itself grants the delegation, not a delegate of another one. */
const rootAuthority: Hex = `0x${'ff'.repeat(32)}`
const types = {
  Caveat: [
    { name: 'enforcer', type: 'address' },
    { name: 'terms', type: 'bytes' },
  ],
  Delegation: [
    { name: 'delegate', type: 'address' },
    { name: 'delegator', type: 'address' },
    { name: 'authority', type: 'bytes32' },
    { name: 'caveats', type: 'Caveat[]' },
    { name: 'salt', type: 'uint256' },
  ],
} as const
const caveatStruct = 'struct Caveat { address enforcer; bytes terms; bytes args; }'
const delegationStruct =
  'struct Delegation { address delegate; address delegator; bytes32 authority; Caveat[] caveats; uint256 salt; bytes signature; }'
const chainParameters = parseAbiParameters(['Delegation[] delegations', delegationStruct, caveatStruct])
const managerAbi = parseAbi(['function disableDelegation(Delegation delegation)', delegationStruct, caveatStruct])

/**
 * Creates a root delegation with a random salt, so that equal permissions are revoked separately.
 *
 * @param delegator account that grants the right
 * @param delegate address that may redeem it
 */
export function createDelegation(delegator: Hex, delegate: Hex, caveats: readonly Caveat[]): UnsignedDelegation {
  const salt = crypto.getRandomValues(new BigUint64Array(4)).reduce((sum, each) => (sum << 64n) | each, 0n)
  return { delegate, delegator, authority: rootAuthority, caveats, salt }
}

/** Returns the typed data that the delegator signs. */
export function delegationTypedData(delegation: UnsignedDelegation, chainId: number, manager: Hex) {
  const domain = { name: delegationDomainName, version: '1', chainId, verifyingContract: manager } as const
  return { domain, types, primaryType: 'Delegation', message: delegation } as const
}

/** Returns the hash under which the delegation manager stores the state of a delegation. */
export function hashDelegation(delegation: UnsignedDelegation): Hex {
  return hashStruct({ data: delegation, primaryType: 'Delegation', types })
}

/** Encodes a delegation as the permission context that its delegate redeems. */
export function encodePermissionContext(delegation: Delegation): Hex {
  return encodeAbiParameters(chainParameters, [[toAbi(delegation)]])
}

/** Decodes a permission context of this wallet. Returns `undefined` for anything else. */
export function decodePermissionContext(context: Hex): Delegation | undefined {
  try {
    const [delegations] = decodeAbiParameters(chainParameters, context)
    const [delegation] = delegations
    return delegations.length === 1 && delegation?.authority === rootAuthority ? delegation : undefined
  } catch {
    return undefined
  }
}

/** Encodes the call of the delegation manager that ends a delegation. Only the delegator can make it. */
export function encodeDisableDelegation(delegation: Delegation): Hex {
  return encodeFunctionData({ abi: managerAbi, functionName: 'disableDelegation', args: [toAbi(delegation)] })
}

/** Returns the end of a delegation in seconds since the epoch, from its signed caveats. */
export function getDelegationExpiry({ caveats }: Delegation, enforcer: Hex): number {
  const terms = caveats.find((caveat) => isAddressEqual(caveat.enforcer, enforcer))?.terms
  return terms?.length === 66 ? Number(BigInt(slice(terms, 16))) : 0
}

/** The library's types are mutable, but it changes nothing. */
function toAbi(delegation: Delegation) {
  return { ...delegation, caveats: [...delegation.caveats] }
}
