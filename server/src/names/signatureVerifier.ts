import { createClient, custom, isAddressEqual, recoverMessageAddress, type Address, type Client, type Hex } from 'viem'
import { verifyMessage } from 'viem/actions'
import type { Chain } from '../kit/chain/chains.ts'
import type { EndpointPool } from '../kit/chain/endpointPool.ts'
import type { EndpointPools } from '../kit/chain/endpointPools.ts'
import { Problem } from '../kit/http/problem.ts'

export type SignedText = { address: Address; message: string; signature: Hex }

/**
 * The signer of a message. A key has the same address on every chain. A contract speaks for its address on one chain
 * only: on another chain, a contract with other owners may have the same address.
 */
export type SignerKind = 'key' | 'contract'

/** Verifies signatures of messages. */
export type SignatureVerifier = {
  /**
   * Returns the kind of signer if an address signed exactly these bytes: with its key (EIP-191), or as a contract on
   * this chain (ERC-1271), even if it is not deployed yet (ERC-6492). Returns undefined if it did not.
   *
   * @throws Problem 503 `coin_type` if only the chain can tell and it is not available
   */
  findSigner(signed: SignedText, chainId: number): Promise<SignerKind | undefined>
}

/** Creates the verifier. Signatures of keys need no request to a chain. */
export function createSignatureVerifier(chains: readonly Chain[], pools: EndpointPools): SignatureVerifier {
  return {
    async findSigner(signed, chainId) {
      if (await isSignedByKey(signed)) return 'key'
      const chain = chains.find(({ caipNetworkId }) => caipNetworkId === `eip155:${chainId}`)
      if (chain === undefined) return undefined
      return (await isSignedByContract(pools.get(chain), signed)) ? 'contract' : undefined
    },
  }
}

async function isSignedByKey({ address, message, signature }: SignedText): Promise<boolean> {
  if (signature.length !== 132) return false
  try {
    return isAddressEqual(await recoverMessageAddress({ message, signature }), address)
  } catch {
    return false
  }
}

async function isSignedByContract(pool: EndpointPool, signed: SignedText): Promise<boolean> {
  const { client, failure } = createObservedClient(pool)
  const isSigned = await verifyMessage(client, signed).catch(() => false)
  if (isSigned || failure() === undefined) return isSigned
  throw new Problem(503, 'coin_type', 'The chain is not available.', { cause: failure() })
}

/** Creates a client that remembers failures, because viem reports a failed request as an invalid signature. */
function createObservedClient(pool: EndpointPool): { client: Client; failure: () => unknown } {
  let failure: unknown
  let id = 0
  const transport = custom(
    {
      async request({ method, params }: { method: string; params?: unknown }) {
        const response = await pool
          .request({ jsonrpc: '2.0', id: (id += 1), method, params })
          .catch((error: unknown) => {
            failure ??= error
            throw error
          })
        const { result, error } = Object(response) as { result?: unknown; error?: { code: number; message: string } }
        if (error !== undefined) throw Object.assign(new Error(error.message), error)
        return result
      },
    },
    { retryCount: 0 },
  )
  return { client: createClient({ transport }), failure: () => failure }
}
