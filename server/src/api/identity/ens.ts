import { BaseError, createPublicClient, custom, type PublicClient } from 'viem'
import { mainnet } from 'viem/chains'
import type { EndpointPool } from '../../kit/endpointPool.ts'
import { cleaned } from '../tokens/abi.ts'
import type { NameSource } from './nameSource.ts'

/**
 * Names of the Ethereum Name Service on mainnet. A reverse record counts only when its name leads back to the address
 * (ENSIP-3), which the universal resolver checks. Names that live outside of the chain are left out: following them would
 * let strangers say where this server goes.
 *
 * @param contract the universal resolver, when it is not where mainnet has it
 */
export function createEns(pool: EndpointPool, contract?: `0x${string}`): NameSource {
  const client = clientOf(pool, contract)
  return {
    async identity(address) {
      // Its form was looked at before.
      const name = await client.getEnsName({ address: address as `0x${string}` }).catch((error: unknown) => {
        if (wasReverted(error)) return null
        throw error
      })
      if (name === null) return undefined
      const shown = cleaned(name)
      if (shown !== name) return undefined
      const avatar = await client.getEnsText({ name, key: 'avatar' }).catch((error: unknown) => {
        if (wasReverted(error)) return null
        throw error
      })
      return { name, avatar: avatar === '' ? null : avatar }
    },
  }
}

/** The contract has no answer that is on the chain; a node that is away has none at all. */
function wasReverted(error: unknown): boolean {
  const isRevert = (each: unknown): boolean => each instanceof Error && Reflect.get(each, 'code') === revertCode
  return error instanceof BaseError && error.walk(isRevert) !== null
}

/** How nodes tell that a call was reverted. */
const revertCode = 3

function clientOf(pool: EndpointPool, contract: `0x${string}` | undefined): PublicClient {
  let id = 0
  const transport = custom({
    async request({ method, params }: { method: string; params?: unknown }) {
      const answer = await pool.ask({ jsonrpc: '2.0', id: (id += 1), method, params })
      const { result, error } = Object(answer) as { result?: unknown; error?: { code: number; message: string } }
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
