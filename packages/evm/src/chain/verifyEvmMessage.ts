import type { LatchkeyError, Network } from '@latchkey/protocol'
import { createClient, custom, isHex, type Client } from 'viem'
import { verifyMessage as verify } from 'viem/actions'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { getEvmClient, wrapUnreachable, findLatchkeyError, type EvmClients } from './evmClients.ts'

/**
 * Verifies a signature of an address: of a key (EIP-191), which needs no request, or of a contract (EIP-1271, and EIP-6492
 * before deployment).
 */
export async function verifyEvmMessage(
  clients: EvmClients,
  network: Network,
  account: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const address = parseEvmAddress(account)
  if (!isHex(signature) || signature.length % 2 === 1) return false
  const { client, failure } = watchFailures(getEvmClient(clients, network))
  const verified = await wrapUnreachable(network, verify(client, { address, message, signature, mode: 'eoa' }))
  if (!verified && failure() !== undefined) throw failure()
  return verified
}

/** Records the first failure of a client. viem reports a signature that it could not check as invalid. */
function watchFailures(client: Client): { client: Client; failure: () => LatchkeyError | undefined } {
  let failure: LatchkeyError | undefined
  async function request(args: Parameters<Client['request']>[0]): Promise<unknown> {
    try {
      return await client.request(args)
    } catch (error) {
      failure ??= findLatchkeyError(error)
      throw error
    }
  }
  return {
    client: createClient({ transport: custom({ request }, { retryCount: 0 }), ccipRead: false }),
    failure: () => failure,
  }
}
