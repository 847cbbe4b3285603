import { connectTo } from '../pageBackend.ts'
import { putInjectedWeb3, type PolkadotFace } from './injectedWeb3.ts'

/** The page's half of an installed Polkadot extension. */
export function installPolkadotInPage(bridgeName: string, eventName: string, info: PolkadotFace['info']): void {
  putInjectedWeb3({ info, ...connectTo(bridgeName, eventName) }, window)
}
