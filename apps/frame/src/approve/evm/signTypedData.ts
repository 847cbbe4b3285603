import { bytesToHex } from '@noble/hashes/utils.js'
import type { Reader } from '../approval.ts'
import { accountOf, numberOf } from '../asked.ts'
import type { Banner, Row } from '../facts.ts'
import { deceives } from '../text.ts'
import { isAddress } from './hex.ts'
import { readPermit } from './permit.ts'
import { createTokens } from './tokens.ts'
import { readTypedData, type TypedData } from './typedData.ts'

/** The account, then the data as JSON or as an object (EIP-712, `eth_signTypedData_v4`). */
export async function readSignTypedData(...[asked, { chain, holder }]: Parameters<Reader>): ReturnType<Reader> {
  const [address, content]: readonly unknown[] = Array.isArray(asked.params) ? asked.params : []
  const account = accountOf(asked, isAddress(address) ? address : '')
  const data = readTypedData(content)
  const tokens = createTokens(chain, asked.network.chainId)
  const permit = await readPermit(data, tokens)
  const row = (value: string): Row => ({ label: 'type', value: { kind: 'text', text: value } })
  const details: readonly Row[] = [
    row(data.primaryType),
    { label: 'content', value: { kind: 'fields', fields: data.fields } },
    { label: 'domain', value: { kind: 'fields', fields: data.domainFields } },
  ]
  const banners: readonly Banner[] = [
    ...otherChain(data, numberOf(asked.network)),
    ...(permit?.banners ?? []),
    ...(deceives(data.json) || tokens.areOdd() ? [{ kind: 'oddText' } as const] : []),
  ]
  const sections =
    permit === undefined
      ? [{ rows: details }]
      : [{ rows: permit.rows }, { title: 'details' as const, rows: details, isFolded: true }]
  return {
    facts: { deed: permit === undefined ? 'typedData' : 'permit', account, network: asked.network, banners, sections },
    carryOut: async () => `0x${bytesToHex(await holder.sign({ kind: 'evm-typed-data', json: data.json }))}`,
  }
}

/** A signature for another chain is worth nothing here, and something there. */
function otherChain({ domain }: TypedData, here: number): readonly Banner[] {
  const { chainId } = domain
  if (chainId === undefined || chainId === null) return []
  const written = String(chainId)
  const isHere = /^(?:\d{1,78}|0x[\da-f]{1,64})$/i.test(written) && BigInt(written) === BigInt(here)
  return isHere ? [] : [{ kind: 'otherChain', chainId: written.slice(0, 80) }]
}
