import type { Hex } from 'viem'
import { isRecord } from '@latchkey/protocol'
import { RpcError } from '../rpcError.ts'

/** The chains that a wallet knows, and its current chain. */
export type ChainList = {
  current(): { id: number; rpcUrl: string | undefined }
  /** The ids of all known chains. */
  known(): readonly number[]
  /** Switches to any chain, known or unknown, as a user can. Returns true if the chain changed. */
  goTo(chainId: number): boolean
  /**
   * Switches the chain at a page's request (EIP-3326).
   *
   * @throws RpcError 4902 if the wallet does not know the chain
   */
  switchTo(parameter: unknown): boolean
  /**
   * Adds a chain (EIP-3085).
   *
   * @returns the chain id
   * @throws RpcError -32602 if the description is invalid or no endpoint responds
   */
  learn(description: unknown): number
}

/**
 * Creates the chains of a wallet.
 *
 * @param rpcUrls the URL of a node by chain id
 * @param start the id of the selected chain
 * @param unknownChains ids that the wallet reports as unknown although they have a URL
 */
export function createChainList(
  rpcUrls: Readonly<Record<number, string>>,
  start: number,
  unknownChains: readonly number[] = [],
): ChainList {
  const unknown = new Set(unknownChains)
  let current = start

  function goTo(chainId: number): boolean {
    const moved = chainId !== current
    current = chainId
    return moved
  }

  return {
    current: () => ({ id: current, rpcUrl: rpcUrls[current] }),
    known: () =>
      Object.keys(rpcUrls)
        .map(Number)
        .filter((id) => !unknown.has(id)),
    goTo,
    switchTo(parameter) {
      const chainId = readChainId(parameter)
      if (unknown.has(chainId) || rpcUrls[chainId] === undefined) {
        throw new RpcError(4902, `Unrecognized chain ID "${hexChainId(chainId)}". Try adding the chain first.`)
      }
      return goTo(chainId)
    },
    learn(description) {
      const chainId = readDescription(description)
      if (rpcUrls[chainId] === undefined) throw invalidChainParams('The RPC endpoint does not respond.')
      unknown.delete(chainId)
      return chainId
    },
  }
}

/** Formats a chain id as wallets do: hexadecimal, without leading zeros. */
export function hexChainId(chainId: number): Hex {
  return `0x${chainId.toString(16)}`
}

/** Parses an EIP-3085 description as strictly as wallets do. */
function readDescription(description: unknown): number {
  const chainId = readChainId(description)
  const { chainName, nativeCurrency, rpcUrls } = isRecord(description) ? description : {}
  if (typeof chainName !== 'string' || chainName === '') throw invalidChainParams('Expected a chainName.')
  if (!Array.isArray(rpcUrls) || !rpcUrls.some((url) => URL.canParse(String(url)))) {
    throw invalidChainParams('Expected at least one URL in rpcUrls.')
  }
  if (!isRecord(nativeCurrency) || nativeCurrency['decimals'] !== 18) {
    throw invalidChainParams('Expected a nativeCurrency with 18 decimals.')
  }
  return chainId
}

function readChainId(parameter: unknown): number {
  const chainId = isRecord(parameter) ? parameter['chainId'] : undefined
  if (typeof chainId === 'string' && /^0x[1-9a-f][0-9a-f]*$/i.test(chainId)) return Number(chainId)
  throw invalidChainParams('Expected an unpadded hexadecimal chainId.')
}

function invalidChainParams(message: string): RpcError {
  return new RpcError(-32602, message)
}
