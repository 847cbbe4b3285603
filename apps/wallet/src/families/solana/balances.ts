import type { Network } from '@latchkey/protocol'
import { isRecord, type KnownToken } from '../../config.ts'
import { RpcError } from '../../rpcError.ts'
import type { Balance } from '../family.ts'
import { askValue } from './rpc.ts'

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/**
 * Reads the SOL of an address and what it holds of known SPL tokens, SOL first.
 *
 * @throws RpcError when no endpoint of the network answers.
 */
export async function readBalances(
  network: Network,
  tokens: readonly KnownToken[],
  address: string,
): Promise<readonly Balance[]> {
  const [lamports, held] = await Promise.all([
    askValue(network, 'getBalance', [address]),
    tokens.length === 0 ? new Map<string, bigint>() : readTokens(network, address),
  ])
  if (typeof lamports !== 'number') throw new RpcError(-32603, 'The network told no balance.')
  const known = tokens.map(({ address: mint, name, symbol, decimals }) => {
    return { asset: mint, name, symbol, decimals, amount: held.get(mint) ?? 0n }
  })
  return [{ asset: 'native', ...network.nativeCurrency, amount: BigInt(lamports) }, ...known]
}

/** What is held of each mint, in all token accounts of an owner. */
async function readTokens(network: Network, owner: string): Promise<ReadonlyMap<string, bigint>> {
  const question = [owner, { programId: tokenProgram }, { encoding: 'jsonParsed' }]
  // Without its tokens a balance is still true.
  const accounts = await askValue(network, 'getTokenAccountsByOwner', question).catch(() => [])
  const held = new Map<string, bigint>()
  for (const each of Array.isArray(accounts) ? accounts : []) {
    const info = ['account', 'data', 'parsed', 'info'].reduce<unknown>(member, each)
    const [mint, amount] = [member(info, 'mint'), member(member(info, 'tokenAmount'), 'amount')]
    if (typeof mint !== 'string' || typeof amount !== 'string' || !/^\d+$/.test(amount)) continue
    held.set(mint, (held.get(mint) ?? 0n) + BigInt(amount))
  }
  return held
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
