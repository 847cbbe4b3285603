import { connectToBridge } from '../page/connectToBridge.ts'
import { putSatsProvider, putUnisatProvider, type BitcoinPageWallet } from './bitcoinPageWallet.ts'
import { registerStandardWallet } from './registerStandardWallet.ts'

/** The page interfaces of Bitcoin wallets. */
export type BitcoinInterface = 'standard' | 'sats' | 'unisat'

/** The page script of an installed Bitcoin wallet. */
export function installBitcoinInPage(
  bridgeName: string,
  eventName: string,
  info: BitcoinPageWallet['info'],
  faces: readonly BitcoinInterface[],
): void {
  const wallet = { info, ...connectToBridge(bridgeName, eventName) }
  if (faces.includes('sats')) putSatsProvider(wallet, window)
  if (faces.includes('unisat')) putUnisatProvider(wallet, window)
  if (faces.includes('standard')) registerStandardWallet(wallet, window)
}
