import { isRecord, type Network } from '@latchkey/protocol'
import { type KnownToken } from '../../walletConfig.ts'
import { RpcError } from '../../rpcError.ts'
import type { Balance } from '../namespaceAdapter.ts'
import { requestSolanaValue } from './requestSolana.ts'

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/**
 * Gets the balances of an address: SOL first, then the known SPL tokens.
 *
 * @throws RpcError if no endpoint of the network responds
 */
export async function getSolanaBalances(
  network: Network,
  tokens: readonly KnownToken[],
  address: string,
): Promise<readonly Balance[]> {
  const [lamports, held] = await Promise.all([
    requestSolanaValue(network, 'getBalance', [address]),
    tokens.length === 0 ? new Map<string, bigint>() : getTokenAmounts(network, address),
  ])
  if (typeof lamports !== 'number') throw new RpcError(-32603, 'The network returned no balance.')
  const known = tokens.map(({ address: mint, name, symbol, decimals }) => {
    return { asset: mint, name, symbol, decimals, amount: held.get(mint) ?? 0n }
  })
  return [{ asset: 'native', ...network.nativeCurrency, amount: BigInt(lamports) }, ...known]
}

/** Sums the amounts of each mint over all token accounts of an owner. */
async function getTokenAmounts(network: Network, owner: string): Promise<ReadonlyMap<string, bigint>> {
  const params = [owner, { programId: tokenProgram }, { encoding: 'jsonParsed' }]
  // The SOL balance is valid without the tokens.
  const accounts = await requestSolanaValue(network, 'getTokenAccountsByOwner', params).catch(() => [])
  const held = new Map<string, bigint>()
  for (const each of Array.isArray(accounts) ? accounts : []) {
    const info = ['account', 'data', 'parsed', 'info'].reduce<unknown>(getMember, each)
    const [mint, amount] = [getMember(info, 'mint'), getMember(getMember(info, 'tokenAmount'), 'amount')]
    if (typeof mint !== 'string' || typeof amount !== 'string' || !/^\d+$/.test(amount)) continue
    held.set(mint, (held.get(mint) ?? 0n) + BigInt(amount))
  }
  return held
}

function getMember(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
