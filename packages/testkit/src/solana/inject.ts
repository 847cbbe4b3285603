import { connectTo } from '../pageBackend.ts'
import { registerSolanaWallet } from './register.ts'
import type { SolanaWalletInfo } from './standardWallet.ts'

/** The page's half of an installed wallet of Solana. */
export function installSolanaInPage(
  bridgeName: string,
  eventName: string,
  info: SolanaWalletInfo,
  registerAfter: number,
): void {
  const wallet = { info, ...connectTo(bridgeName, eventName) }
  if (registerAfter === 0) registerSolanaWallet(wallet, window)
  else setTimeout(() => registerSolanaWallet(wallet, window), registerAfter)
}
