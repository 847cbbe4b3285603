export { getBitcoinAddresses, sendTransfer, signBitcoinMessage, signPsbt, type BitcoinAddress } from './actions.ts'
export type { InputToSign, PsbtRequest, SigningProtocol, Transfer } from './askWallet.ts'
export { bitcoin, type BitcoinOptions } from './bitcoin.ts'
export { bitcoinMainnet, bitcoinRegtest, bitcoinSignet, bitcoinTestnet } from './networks.ts'
