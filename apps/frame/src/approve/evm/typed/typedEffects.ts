import { isDelegatedCall } from '../calls/batchFunctions.ts'
import type { CallEffect } from '../calls/callEffects.ts'
import { allEffects, readCall } from '../calls/readCall.ts'
import { isAddress, isHex } from '../parseQuantity.ts'
import { getNumber, listMembers, listStructs, type TypedStruct } from './typedStructs.ts'

/** The deadline of a permit that never expires. DAI's permit encodes it as 0. */
const never = 2n ** 256n - 1n
const maxUint256 = 2n ** 256n - 1n

/**
 * Finds the effects of signed data by its content, not by its name: permits (ERC-2612, its predecessor and Permit2),
 * transfers (EIP-3009), and calls (Safe, ERC-2771, ERC-4337).
 *
 * @param contract verifying contract of the domain. Permits without one are about an unknown token.
 */
export function findTypedEffects(message: TypedStruct, contract: unknown): readonly CallEffect[] {
  const token = isAddress(contract) ? contract : undefined
  return listStructs(message).flatMap((struct) => [
    ...permitEffects(struct, token),
    ...authorizationEffects(struct, token),
    ...callEffects(struct, token),
  ])
}

function permitEffects(struct: TypedStruct, contract: string | undefined): readonly CallEffect[] {
  const { spender, allowed } = struct
  if (!isAddress(spender)) return []
  const deadline = ['deadline', 'expiry', 'sigDeadline'].map((name) => getNumber(struct, name)).find(isNumber)
  const grant = (token: string, units: bigint, until = deadline): CallEffect => ({
    kind: 'allowance',
    token,
    spender,
    units,
    ...(until !== undefined && { deadline: until }),
  })
  const listed = [...listMembers(struct, 'details'), ...listMembers(struct, 'permitted')].flatMap((each) => {
    const units = getNumber(each, 'amount')
    return isAddress(each['token']) && units !== undefined
      ? [grant(each['token'], units, getNumber(each, 'expiration'))]
      : []
  })
  const token = contract ?? zeroAddress
  if (typeof allowed === 'boolean')
    return [...listed, grant(token, allowed ? maxUint256 : 0n, deadline === 0n ? never : deadline)]
  const units = getNumber(struct, 'value') ?? getNumber(struct, 'amount')
  return units === undefined ? listed : [...listed, grant(token, units)]
}

const zeroAddress = `0x${'0'.repeat(40)}` as const
const isNumber = (value: bigint | undefined): value is bigint => value !== undefined

/** EIP-3009: any holder of the signature can execute the transfer. */
function authorizationEffects(struct: TypedStruct, token: string | undefined): readonly CallEffect[] {
  const { from, to } = struct
  const [units, until] = [getNumber(struct, 'value'), getNumber(struct, 'validBefore')]
  if (token === undefined || !isAddress(from) || !isAddress(to) || units === undefined || until === undefined) return []
  return [{ kind: 'transfer', token, from, to, units }]
}

const targets = ['to', 'target', 'sender'] as const
const bytesNames = ['data', 'callData', 'functionSignature'] as const

/** A call that a relayer or an account carries out for the signer. */
function callEffects(struct: TypedStruct, contract: `0x${string}` | undefined): readonly CallEffect[] {
  const data = bytesNames.map((name) => struct[name]).find(isHex)
  const to = targets.map((name) => struct[name]).find(isAddress) ?? contract
  if (data === undefined || to === undefined) return []
  const operation = getNumber(struct, 'operation') ?? 0n
  const delegated: readonly CallEffect[] = isDelegatedCall(to, operation) ? [{ kind: 'delegates' }] : []
  return [...delegated, ...allEffects(readCall({ to, value: 0n, data }))]
}
