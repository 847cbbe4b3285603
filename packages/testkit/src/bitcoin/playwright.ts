import type { BrowserContext, Page } from '@playwright/test'
import { installBridge } from '../bridge.ts'
import type { BitcoinFaceName } from './inject.ts'
import {
  createSimulatedBitcoinWallet,
  type SimulatedBitcoinOptions,
  type SimulatedBitcoinWallet,
} from './simulatedBitcoinWallet.ts'

export type InstallBitcoinOptions = SimulatedBitcoinOptions & {
  /** How it shows itself; as sats-connect wallets do when left out. */
  faces?: readonly BitcoinFaceName[]
}

/**
 * Installs a simulated Bitcoin wallet in a page, or in all pages of a context, for all documents loaded from now on. Its
 * keys and its way to the chain stay in the test's process.
 *
 * @example const wallet = await installSimulatedBitcoinWallet(page, { privateKeys: [key], faces: ['standard'] })
 */
export async function installSimulatedBitcoinWallet(
  target: Page | BrowserContext,
  { faces = ['sats'], ...options }: InstallBitcoinOptions,
): Promise<SimulatedBitcoinWallet> {
  const wallet = createSimulatedBitcoinWallet(options)
  const half = { module: 'bitcoin/inject', install: 'installBitcoinInPage', args: [wallet.info, faces] }
  await installBridge(target, wallet, wallet.info.id, half)
  return wallet
}
