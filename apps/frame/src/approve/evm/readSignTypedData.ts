import { bytesToHex } from '@noble/hashes/utils.js'
import type { Reader } from '../approval.ts'
import { getApprovedAccount, chainNumberOf } from '../checkRequest.ts'
import type { Banner, Row } from '../approvalFacts.ts'
import { findLookAlikes } from '../findLookAlikes.ts'
import { hasDeceptiveCharacters } from '../splitVisibleText.ts'
import { isAddress } from './parseQuantity.ts'
import { parsePermit } from './permit.ts'
import { createTokens } from './tokens.ts'
import { parseTypedData, type TypedData } from './typedData.ts'

/** Parameters: account, then the data as JSON or as an object (EIP-712, `eth_signTypedData_v4`). */
export async function readSignTypedData(
  ...[checked, { chain, holder, recipients }]: Parameters<Reader>
): ReturnType<Reader> {
  const [address, content]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : []
  const account = getApprovedAccount(checked, isAddress(address) ? address : '')
  const data = parseTypedData(content)
  const tokens = createTokens(chain, checked.network.chainId)
  const { nativeCurrency } = checked.network
  const [permit, known] = await Promise.all([parsePermit(data, nativeCurrency, tokens), recipients.list()])
  const row = (value: string): Row => ({ label: 'type', value: { kind: 'text', text: value } })
  const details: readonly Row[] = [
    row(data.primaryType),
    { label: 'content', value: { kind: 'fields', fields: data.fields } },
    { label: 'domain', value: { kind: 'fields', fields: data.domainFields } },
  ]
  const banners: readonly Banner[] = [
    ...otherChain(data, chainNumberOf(checked.network)),
    ...(permit?.banners ?? []),
    ...findLookAlikes(permit?.receivers ?? [], [account, ...known]),
    ...(hasDeceptiveCharacters(data.json) || tokens.hasSuspiciousName() ? [{ kind: 'oddText' } as const] : []),
  ]
  const sections =
    permit === undefined
      ? [{ rows: details }]
      : [{ rows: permit.rows }, { title: 'details' as const, rows: details, isFolded: true }]
  return {
    facts: {
      action: permit?.action ?? 'typedData',
      account,
      network: checked.network,
      banners,
      sections,
    },
    signs: [{ kind: 'evm-typed-data', json: data.json }],
    execute: async () => `0x${bytesToHex(await holder.sign({ kind: 'evm-typed-data', json: data.json }))}`,
  }
}

/** A signature for another chain is valid there, not here. */
function otherChain({ domain }: TypedData, here: number): readonly Banner[] {
  const { chainId } = domain
  if (chainId === undefined || chainId === null) return []
  const written = String(chainId)
  const isHere = /^(?:\d{1,78}|0x[\da-f]{1,64})$/i.test(written) && BigInt(written) === BigInt(here)
  return isHere ? [] : [{ kind: 'otherChain', chainId: written.slice(0, 80) }]
}
