import type { BrowserContext, Page } from '@playwright/test'
import { installBridge } from '../page/bridge.ts'
import type { BitcoinInterface } from './inject.ts'
import {
  createSimulatedBitcoinWallet,
  type SimulatedBitcoinOptions,
  type SimulatedBitcoinWallet,
} from './simulatedBitcoinWallet.ts'

export type InstallBitcoinOptions = SimulatedBitcoinOptions & {
  /** The page interfaces. Default: sats-connect. */
  faces?: readonly BitcoinInterface[]
}

/**
 * Installs a simulated Bitcoin wallet in a page, or in all pages of a context, for all documents loaded from now on. Its
 * keys and chain connection stay in the test process.
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
