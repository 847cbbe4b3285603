import { connectToBridge } from '../page/connectToBridge.ts'
import { putInjectedWeb3, type PolkadotPageExtension } from './injectedWeb3.ts'

/** The page script of an installed Polkadot extension. */
export function installPolkadotInPage(
  bridgeName: string,
  eventName: string,
  info: PolkadotPageExtension['info'],
): void {
  putInjectedWeb3({ info, ...connectToBridge(bridgeName, eventName) }, window)
}
