import { Counter, type Registry } from 'prom-client'

/**
 * The source of the response to a call: the server itself, its cache, the pending request of another client, or an
 * endpoint of the chain.
 */
export type ResponseSource = 'server' | 'cache' | 'shared' | 'endpoint'

/** Counts the JSON-RPC calls of clients. */
export type RpcMetrics = { countCall(chain: string, source: ResponseSource): void }

/** Creates the counter in a registry. */
export function createRpcMetrics(registry: Registry): RpcMetrics {
  const calls = new Counter({
    name: 'latchkey_rpc_calls_total',
    help: 'JSON-RPC calls of clients.',
    labelNames: ['chain', 'source'],
    registers: [registry],
  })
  return { countCall: (chain, source) => calls.inc({ chain, source }) }
}
