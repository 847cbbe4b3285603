import { createClient, custom, isAddressEqual, recoverMessageAddress, type Address, type Client, type Hex } from 'viem'
import { verifyMessage } from 'viem/actions'
import type { Chain } from '../kit/chains.ts'
import type { EndpointPool } from '../kit/endpointPool.ts'
import type { Pools } from '../kit/pools.ts'
import { Problem } from '../kit/problem.ts'

export type Signed = { address: Address; message: string; signature: Hex }

/** Says who signed a text. */
export type Signatures = {
  /**
   * Whether an address signed exactly these bytes: its key (EIP-191), or the contract that it is on a chain (ERC-1271),
   * also one that is not deployed yet (ERC-6492).
   *
   * @throws Problem 503 `coin_type` when only the chain could tell and it does not answer
   */
  isSigned(signed: Signed, chainId: number): Promise<boolean>
}

/** Makes the side that asks the chains. Keys are proved without any. */
export function createSignatures(chains: readonly Chain[], pools: Pools): Signatures {
  return {
    async isSigned(signed, chainId) {
      if (await isSignedByKey(signed)) return true
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === `eip155:${chainId}`)
      return chain !== undefined && isSignedByContract(pools.of(chain), signed)
    },
  }
}

async function isSignedByKey({ address, message, signature }: Signed): Promise<boolean> {
  if (signature.length !== 132) return false
  try {
    return isAddressEqual(await recoverMessageAddress({ message, signature }), address)
  } catch {
    return false
  }
}

async function isSignedByContract(pool: EndpointPool, signed: Signed): Promise<boolean> {
  const { client, failure } = watch(pool)
  const isSigned = await verifyMessage(client, signed).catch(() => false)
  if (isSigned || failure() === undefined) return isSigned
  throw new Problem(503, 'coin_type', 'The chain does not answer.', { cause: failure() })
}

/** A signature that could not be looked at seems wrong: so it is seen whether any node answered. */
function watch(pool: EndpointPool): { client: Client; failure: () => unknown } {
  let failure: unknown
  let id = 0
  const transport = custom(
    {
      async request({ method, params }: { method: string; params?: unknown }) {
        const answer = await pool.ask({ jsonrpc: '2.0', id: (id += 1), method, params }).catch((error: unknown) => {
          failure ??= error
          throw error
        })
        const { result, error } = Object(answer) as { result?: unknown; error?: { code: number; message: string } }
        if (error !== undefined) throw Object.assign(new Error(error.message), error)
        return result
      },
    },
    { retryCount: 0 },
  )
  return { client: createClient({ transport }), failure: () => failure }
}
