export { addresses, localAccount, mnemonic, onRampKey, roles } from './accounts.ts'
export { findAnvil, startAnvil, type Anvil, type AnvilOptions } from './evm/anvil.ts'
export { startChains, type ChainsOptions, type LocalChain, type LocalChains } from './evm/chains.ts'
export type { ChildEvents } from './processes/startChild.ts'
export { readArtifact } from './evm/deploy.ts'
export type { Contracts, LocalCollection, LocalToken } from './evm/deploy.ts'
export type { LocalExchange } from './exchange/localExchange.ts'
export { exchangeConfig, type ExchangeConfig } from './exchange/exchangeConfig.ts'
export { connectNames, localZone, type NamesOnChain } from './names/deployNames.ts'
export { keepSignerKey } from './names/signerKey.ts'
export { injectPageConfig } from './sites/injectPageConfig.ts'
export type { AppOptions, SiteHandler } from './sites/serveApp.ts'
export { solanaAddresses } from './solana/solanaAddresses.ts'
export { startSolana, type LocalSolana, type SolanaOptions } from './solana/startSolana.ts'
export type { SolanaToken } from './solana/genesis.ts'
export { installProgram, type InstallOptions, type Program } from './processes/installProgram.ts'
export { startServerProcess, type ServerProcess, type ServerProcessOptions } from './processes/serverProcess.ts'
export { untilMined, type ReceiptReader } from './evm/untilMined.ts'
export { openSite, startSite, type Site, type SiteOptions } from './sites/sites.ts'
export {
  startWorld,
  type World,
  type WorldApp,
  type WorldConfig,
  type WorldOptions,
  type WorldPorts,
  type WorldUrls,
} from './world.ts'
export { startBitcoin, type Bitcoin, type BitcoinOptions } from './bitcoin/startBitcoin.ts'
export { startLocalBitcoin, type LocalBitcoin } from './bitcoin/localBitcoin.ts'
export { startLocalPolkadot, type LocalPolkadot } from './polkadot/localPolkadot.ts'
export { startPolkadotChain, type PolkadotChain, type PolkadotChainOptions } from './polkadot/startPolkadotChain.ts'
export { startMail, type LocalMail, type ReceivedMail } from './mail/startMail.ts'
export { startMailbox, type LocalMailbox } from './mail/startMailbox.ts'
export { installBundler, isBundlerInstalled } from './smart/installBundler.ts'
export { deploySmartAccounts, type LocalSmartAccounts } from './smart/deploySmartAccounts.ts'
export { startBundler, type Bundler, type BundlerOptions } from './smart/startBundler.ts'
export { startSmartServices, type SmartServices, type SmartServicesOptions } from './smart/startSmartServices.ts'
export { startIdentity, type LocalIdentity } from './identity/startIdentity.ts'
export { startFarcaster, type LocalFarcaster } from './farcaster/startFarcaster.ts'
export { farcasterPeople, type FarcasterPerson } from './farcaster/farcasterPeople.ts'
export { signFarcasterSignIn, formatFarcasterSignIn, type FarcasterSignInRequest } from './farcaster/farcasterSignIn.ts'
