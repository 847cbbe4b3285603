import type { Network } from '@latchkey/protocol'
import { erc20Abi, isAddress, type Address } from 'viem'
import { getBalance, readContract } from 'viem/actions'
import type { KnownToken } from '../../config.ts'
import type { Balance } from '../family.ts'
import { askNetwork, type EvmClient } from './client.ts'

/**
 * Reads the native balance of an address and those of known ERC-20 tokens, native first. A token whose contract does
 * not answer is left out.
 *
 * @throws RpcError when no endpoint of the network answers.
 */
export async function readBalances(
  client: EvmClient,
  network: Network,
  tokens: readonly KnownToken[],
  address: Address,
): Promise<readonly Balance[]> {
  const native = askNetwork(network, getBalance(client, { address }))
  const others = tokens.map((token) => readToken(client, token, address))
  const [amount, ...rest] = await Promise.all([native, ...others])
  const found = rest.filter((balance) => balance !== undefined)
  return [{ asset: 'native', ...network.nativeCurrency, amount }, ...found]
}

async function readToken(client: EvmClient, token: KnownToken, owner: Address): Promise<Balance | undefined> {
  const { address, name, symbol, decimals } = token
  if (!isAddress(address, { strict: false })) return undefined
  try {
    const amount = await readContract(client, { address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
    return { asset: address, name, symbol, decimals, amount }
  } catch {
    return undefined
  }
}
