import { connectTo } from '../pageBackend.ts'
import { putSatsProvider, putUnisatProvider, type BitcoinFace } from './faces.ts'
import { registerStandardWallet } from './standardFace.ts'

/** The ways in which Bitcoin wallets show themselves. */
export type BitcoinFaceName = 'standard' | 'sats' | 'unisat'

/** The page's half of an installed Bitcoin wallet. */
export function installBitcoinInPage(
  bridgeName: string,
  eventName: string,
  info: BitcoinFace['info'],
  faces: readonly BitcoinFaceName[],
): void {
  const wallet = { info, ...connectTo(bridgeName, eventName) }
  if (faces.includes('sats')) putSatsProvider(wallet, window)
  if (faces.includes('unisat')) putUnisatProvider(wallet, window)
  if (faces.includes('standard')) registerStandardWallet(wallet, window)
}
