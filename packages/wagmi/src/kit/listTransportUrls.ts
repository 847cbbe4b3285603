import type { EvmChain } from '@latchkey/evm'
import { getField } from '@latchkey/protocol'

/** A transport of wagmi. Its argument differs between versions, and only its result is read here. */
export type AnyTransport = (parameters: never) => unknown

/**
 * Lists the URLs that a transport of viem sends requests to: one for `http`, several for `fallback`, none for a transport
 * without a URL or over WebSocket.
 */
export function listTransportUrls(transport: AnyTransport, chain: EvmChain): string[] {
  // A transport reads more of the chain than Latchkey does, and the app passes the same chain to both.
  return listUrls(transport({ chain, retryCount: 0 } as never))
}

function listUrls(created: unknown): string[] {
  const url = getField(created, 'value', 'url')
  if (typeof url === 'string') return /^https?:/.test(url) ? [url] : []
  const transports = getField(created, 'value', 'transports')
  return Array.isArray(transports) ? transports.flatMap(listUrls) : []
}
