export { signPayload, signRaw } from './actions.ts'
export type { PolkadotPayload } from './askWallet.ts'
export { kusama, polkadotMainnet, westend, type PolkadotNetwork } from './networks.ts'
export { polkadot, type PolkadotOptions } from './polkadot.ts'
