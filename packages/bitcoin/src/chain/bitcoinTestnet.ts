import type { Network } from '@latchkey/protocol'
import { createBitcoinNetwork } from './bitcoinNetworks.ts'

/** The test network Testnet3. */
export const bitcoinTestnet: Network = /* @__PURE__ */ createBitcoinNetwork(
  '000000000933ea01ad0ee984209779ba',
  'Bitcoin Testnet',
  '/testnet',
)
/** The test network with signed blocks. */
export const bitcoinSignet: Network = /* @__PURE__ */ createBitcoinNetwork(
  '00000008819873e925422c1ff0f99f7c',
  'Bitcoin Signet',
  '/signet',
)
/** A local chain. It has no public source: set `sources`. */
export const bitcoinRegtest: Network = /* @__PURE__ */ createBitcoinNetwork(
  '0f9188f13cb7b2c71f2a335e3a4fc328',
  'Bitcoin Regtest',
  undefined,
)
