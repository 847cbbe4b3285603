import type { Hex } from 'viem'
import { isRecord } from './chainRpc.ts'
import { RpcError } from './rpcError.ts'

/** The chains that a wallet knows, and the one it is on. */
export type ChainList = {
  current(): { id: number; rpcUrl: string | undefined }
  /** The numbers of all that it knows. */
  known(): readonly number[]
  /** Goes to any chain, known or not, as an owner can. Returns whether that is another one than before. */
  goTo(chainId: number): boolean
  /**
   * Goes where a page asks to (EIP-3326).
   *
   * @throws RpcError 4902 when the wallet does not know that chain.
   */
  switchTo(parameter: unknown): boolean
  /**
   * Learns a chain (EIP-3085).
   *
   * @returns its number
   * @throws RpcError -32602 when the description makes no sense or no endpoint answers.
   */
  learn(description: unknown): number
}

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
      if (rpcUrls[chainId] === undefined) throw invalid('The RPC endpoint does not answer.')
      unknown.delete(chainId)
      return chainId
    },
  }
}

/** A chain's number as wallets write it: hexadecimal, without leading zeros. */
export function hexChainId(chainId: number): Hex {
  return `0x${chainId.toString(16)}`
}

/** Reads what EIP-3085 requires, as strictly as wallets do. */
function readDescription(description: unknown): number {
  const chainId = readChainId(description)
  const { chainName, nativeCurrency, rpcUrls } = isRecord(description) ? description : {}
  if (typeof chainName !== 'string' || chainName === '') throw invalid('Expected a chainName.')
  if (!Array.isArray(rpcUrls) || !rpcUrls.some((url) => URL.canParse(String(url)))) {
    throw invalid('Expected at least one URL in rpcUrls.')
  }
  if (!isRecord(nativeCurrency) || nativeCurrency['decimals'] !== 18) {
    throw invalid('Expected a nativeCurrency with 18 decimals.')
  }
  return chainId
}

function readChainId(parameter: unknown): number {
  const chainId = isRecord(parameter) ? parameter['chainId'] : undefined
  if (typeof chainId === 'string' && /^0x[1-9a-f][0-9a-f]*$/i.test(chainId)) return Number(chainId)
  throw invalid('Expected an unpadded hexadecimal chainId.')
}

function invalid(message: string): RpcError {
  return new RpcError(-32602, message)
}
