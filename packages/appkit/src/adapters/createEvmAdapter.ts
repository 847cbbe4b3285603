import type { Adapter } from '@latchkey/core'
import { evm, type EvmChain } from '@latchkey/evm'
import type { CaipNetwork } from '../network/appKitNetwork.ts'
import type { AdapterOptions } from './appKitAdapter.ts'

/** Creates Latchkey's adapter for eip155 from the networks and options of an app. */
export function createEvmAdapter(
  [first, ...others]: readonly [CaipNetwork, ...CaipNetwork[]],
  { enableEIP6963 = true, enableInjected = true }: AdapterOptions,
): Adapter {
  const adapter = evm({ chains: [toEvmChain(first), ...others.map(toEvmChain)], legacy: enableInjected })
  if (enableEIP6963) return adapter
  return {
    ...adapter,
    discover: (found, lost) =>
      adapter.discover?.((connector) => {
        if (connector.rdns === undefined) found(connector)
      }, lost) ?? (() => {}),
  }
}

function toEvmChain(network: CaipNetwork): EvmChain {
  return { ...network, id: Number(network.id) }
}
