import type { CreateConnectorFn } from 'wagmi'
import { createKitConnector, type AppDetails, type KitServices } from '../../kit/createKitConnector.ts'
import type { WalletList } from './walletList.ts'

/** The options of `connectorsForWallets`. */
export type ConnectorsForWalletsOptions = AppDetails & {
  /** Identifies the app to its own server and relay: 32 hex characters. Only read if `latchkey` names one of them. */
  projectId?: string
  /** The services and options of Latchkey. The original has no such option. */
  latchkey?: KitServices
}

/**
 * Creates the connectors for an app that calls wagmi's `createConfig` itself: the connector of Latchkey.
 *
 * @param _wallets has no effect: wallets of the page are found by their announcement (EIP-6963)
 * @param options the app; `latchkey` has the options that the original doesn't have
 * @returns the `connectors` for `createConfig`, which also needs `multiInjectedProviderDiscovery: false`
 * @throws LatchkeyError from `createConfig`: `config/invalid` if an option of `latchkey` is wrong
 * @example const connectors = connectorsForWallets([], { appName: 'My app' })
 */
export function connectorsForWallets(
  _wallets: WalletList,
  { projectId, latchkey, ...app }: ConnectorsForWalletsOptions,
): CreateConnectorFn[] {
  // wagmi derives the type of `connect` from parameters that the connector does not have.
  return [createKitConnector({ app, projectId, services: latchkey }) as unknown as CreateConnectorFn]
}
