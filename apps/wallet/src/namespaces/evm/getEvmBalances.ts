import type { Network } from '@latchkey/protocol'
import { erc20Abi, isAddress, type Address } from 'viem'
import { getBalance, readContract } from 'viem/actions'
import type { KnownToken } from '../../walletConfig.ts'
import type { Balance } from '../namespaceAdapter.ts'
import { withRpcError, type EvmClient } from './evmClient.ts'

/**
 * Gets the balances of an address: the native balance first, then the known ERC-20 tokens. Omits tokens whose contract
 * doesn't respond.
 *
 * @throws RpcError if no endpoint of the network responds
 */
export async function getEvmBalances(
  client: EvmClient,
  network: Network,
  tokens: readonly KnownToken[],
  address: Address,
): Promise<readonly Balance[]> {
  const native = withRpcError(network, getBalance(client, { address }))
  const others = tokens.map((token) => getTokenBalance(client, token, address))
  const [amount, ...rest] = await Promise.all([native, ...others])
  const found = rest.filter((balance) => balance !== undefined)
  return [{ asset: 'native', ...network.nativeCurrency, amount }, ...found]
}

async function getTokenBalance(client: EvmClient, token: KnownToken, owner: Address): Promise<Balance | undefined> {
  const { address, name, symbol, decimals } = token
  if (!isAddress(address, { strict: false })) return undefined
  try {
    const amount = await readContract(client, { address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
    return { asset: address, name, symbol, decimals, amount }
  } catch {
    return undefined
  }
}
