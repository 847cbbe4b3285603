import { connectToBridge } from '../page/connectToBridge.ts'
import { registerSolanaWallet } from './register.ts'
import type { SolanaWalletInfo } from './standardWallet.ts'

/** The page script of an installed Solana wallet. */
export function installSolanaInPage(
  bridgeName: string,
  eventName: string,
  info: SolanaWalletInfo,
  registerAfter: number,
): void {
  const wallet = { info, ...connectToBridge(bridgeName, eventName) }
  if (registerAfter === 0) registerSolanaWallet(wallet, window)
  else setTimeout(() => registerSolanaWallet(wallet, window), registerAfter)
}
