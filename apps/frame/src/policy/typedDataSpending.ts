import { findTypedEffects } from '../approve/evm/typed/typedEffects.ts'
import { parseTypedData } from '../approve/evm/typedData.ts'
import { getMember } from '../platform/getMember.ts'
import { effectSpending } from './callSpending.ts'
import { joinSpendings, nothingSpent, unknownSpending, type Spending } from './spending.ts'

/** Signed data whose effects are fully known: ERC-2612 and its predecessor, Permit2, and EIP-3009. */
const understood: readonly unknown[] = [
  'Permit',
  'PermitSingle',
  'PermitBatch',
  'PermitTransferFrom',
  'PermitBatchTransferFrom',
  'TransferWithAuthorization',
  'ReceiveWithAuthorization',
]

/**
 * Returns the assets that signed typed data (EIP-712) lets others take: permits and signed transfers, even when wrapped
 * for a smart account (ERC-7739). Other data counts as unknown, because some contract may accept it. Messages of a smart
 * account (`PersonalSign`) take nothing.
 *
 * @param json the JSON of eth_signTypedData_v4
 */
export function typedDataSpending(json: string): Spending {
  const { domain, message, primaryType } = parseTypedData(json)
  if (primaryType === 'PersonalSign') return nothingSpent
  const chain = chainOf(domain['chainId'])
  const type = primaryType === 'TypedDataSign' ? wrappedType(json) : primaryType
  const effects = findTypedEffects(message, domain['verifyingContract'])
  if (chain === undefined || effects.length === 0 || !understood.includes(type)) return unknownSpending
  return joinSpendings(effects.map((effect) => effectSpending(chain, effect)))
}

/** Returns the type of the member `contents`. */
function wrappedType(json: string): unknown {
  const members = getMember(getMember(JSON.parse(json), 'types'), 'TypedDataSign')
  const list: readonly unknown[] = Array.isArray(members) ? members : []
  return getMember(
    list.find((member) => getMember(member, 'name') === 'contents'),
    'type',
  )
}

/** A signature without a chain is valid on every chain. */
function chainOf(value: unknown): string | undefined {
  const written = String(value)
  return /^(?:\d{1,16}|0x[\da-f]{1,13})$/i.test(written) ? `eip155:${BigInt(written)}` : undefined
}
