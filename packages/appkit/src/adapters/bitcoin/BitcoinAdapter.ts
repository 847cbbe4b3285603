import { bitcoin } from '@latchkey/bitcoin'
import type { Adapter, Connection, Latchkey } from '@latchkey/core'
import { toNetwork, type CaipNetwork } from '../../network/appKitNetwork.ts'
import type { AppKitAdapter } from '../appKitAdapter.ts'
import { createBitcoinConnector, type BitcoinConnector } from './createBitcoinConnector.ts'

export type BitcoinAdapterOptions = {
  /** Has no effect: the endpoints of the networks are used, which have the Esplora interface. */
  api?: unknown
}

/**
 * The adapter for Bitcoin.
 *
 * @example const adapter = new BitcoinAdapter()
 */
export class BitcoinAdapter implements AppKitAdapter {
  readonly namespace = 'bip122'

  /** The options, as the app passed them. */
  readonly options: BitcoinAdapterOptions

  constructor(options: BitcoinAdapterOptions = {}) {
    this.options = options
  }

  createAdapter([first, ...others]: readonly [CaipNetwork, ...CaipNetwork[]]): Adapter {
    return bitcoin({ networks: [toNetwork(first), ...others.map(toNetwork)] })
  }

  createProvider(connected: { latchkey: Latchkey; connection: Connection }): BitcoinConnector {
    return createBitcoinConnector(connected)
  }
}
