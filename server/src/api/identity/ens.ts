import { BaseError, createPublicClient, custom, type PublicClient } from 'viem'
import { mainnet } from 'viem/chains'
import type { EndpointPool } from '../../kit/chain/endpointPool.ts'
import { cleanText } from '../tokens/abi.ts'
import type { NameSource } from './nameSource.ts'

/**
 * Creates the name source of the Ethereum Name Service on mainnet. A reverse record counts only if its name resolves
 * back to the address (ENSIP-3), which the universal resolver checks. Off-chain names are left out: following them
 * would let third parties choose the URLs that this server requests.
 *
 * @param contract the universal resolver, if its address is not that of mainnet
 */
export function createEnsNames(pool: EndpointPool, contract?: `0x${string}`): NameSource {
  const client = createEnsClient(pool, contract)
  return {
    async listIdentities(address) {
      // The caller checked the format.
      const name = await client.getEnsName({ address: address as `0x${string}` }).catch((error: unknown) => {
        if (isRevert(error)) return null
        throw error
      })
      if (name === null) return []
      const shown = cleanText(name)
      if (shown !== name) return []
      const avatar = await client.getEnsText({ name, key: 'avatar' }).catch((error: unknown) => {
        if (isRevert(error)) return null
        throw error
      })
      return [{ name, avatar: avatar === '' ? null : avatar }]
    },
  }
}

/** True if the contract reverted, which means that there is no record. Other errors mean that the node failed. */
function isRevert(error: unknown): boolean {
  const hasRevertCode = (each: unknown): boolean => each instanceof Error && Reflect.get(each, 'code') === revertCode
  return error instanceof BaseError && error.walk(hasRevertCode) !== null
}

/** The JSON-RPC error code of a revert. */
const revertCode = 3

function createEnsClient(pool: EndpointPool, contract: `0x${string}` | undefined): PublicClient {
  let id = 0
  const transport = custom({
    async request({ method, params }: { method: string; params?: unknown }) {
      const response = await pool.request({ jsonrpc: '2.0', id: (id += 1), method, params })
      const { result, error } = Object(response) as { result?: unknown; error?: { code: number; message: string } }
      if (error !== undefined) throw Object.assign(new Error(error.message), error)
      return result
    },
  })
  const chain =
    contract === undefined
      ? mainnet
      : { ...mainnet, contracts: { ...mainnet.contracts, ensUniversalResolver: { address: contract } } }
  return createPublicClient({ chain, transport, ccipRead: false })
}
