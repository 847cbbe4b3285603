import type { Balance } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import { getSolanaClient, wrapUnreachable, type SolanaClients } from './solanaClients.ts'

/** Reads the balance of an address in lamports. */
export async function getSolanaBalance(clients: SolanaClients, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const request = getSolanaClient(clients, network).getBalance(parseSolanaAddress(address), { commitment: 'confirmed' })
  const { value } = await wrapUnreachable(network, request.send())
  return { value, decimals, symbol }
}
