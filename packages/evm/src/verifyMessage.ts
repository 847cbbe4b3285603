import type { LatchkeyError, Network } from '@latchkey/protocol'
import { createClient, custom, isHex, type Client } from 'viem'
import { verifyMessage as verify } from 'viem/actions'
import { checkedAddress } from './checkedAddress.ts'
import { readerOf, reading, unreachableIn, type Readers } from './readers.ts'

/**
 * Whether a signature is that of an address: a key's (EIP-191), which needs no chain to see, or a contract's (EIP-1271,
 * and EIP-6492 for one that is not deployed yet).
 */
export async function verifyMessage(
  readers: Readers,
  network: Network,
  account: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const address = checkedAddress(account)
  if (!isHex(signature) || signature.length % 2 === 1) return false
  const { reader, failure } = watch(readerOf(readers, network))
  const verified = await reading(network, verify(reader, { address, message, signature, mode: 'eoa' }))
  if (!verified && failure() !== undefined) throw failure()
  return verified
}

/** To viem a signature that could not be checked is a wrong one. So what happens to its questions is kept. */
function watch(client: Client): { reader: Client; failure: () => LatchkeyError | undefined } {
  let failure: LatchkeyError | undefined
  async function request(args: Parameters<Client['request']>[0]): Promise<unknown> {
    try {
      return await client.request(args)
    } catch (error) {
      failure ??= unreachableIn(error)
      throw error
    }
  }
  return {
    reader: createClient({ transport: custom({ request }, { retryCount: 0 }), ccipRead: false }),
    failure: () => failure,
  }
}
