import type { BrowserContext, Page } from '@playwright/test'
import { installBridge } from '../page/bridge.ts'
import { createSimulatedSolanaWallet, type SimulatedSolanaOptions, type SimulatedSolanaWallet } from './wallet.ts'

export type InstallSolanaOptions = SimulatedSolanaOptions & {
  /** The delay between the start of document loading and the registration, in milliseconds. Default: 0. */
  registerAfter?: number
}

/**
 * Installs a simulated Solana wallet in a page, or in all pages of a context, for all documents loaded from now on.
 * Its keys and chain connection stay in the test process.
 *
 * @example const wallet = await installSimulatedSolanaWallet(page, { privateKeys: [key], rpcUrls: { 'solana:localnet': url } })
 */
export async function installSimulatedSolanaWallet(
  target: Page | BrowserContext,
  { registerAfter = 0, ...options }: InstallSolanaOptions,
): Promise<SimulatedSolanaWallet> {
  const wallet = createSimulatedSolanaWallet(options)
  const half = { module: 'solana/inject', install: 'installSolanaInPage', args: [wallet.info, registerAfter] }
  await installBridge(target, wallet, wallet.info.id, half)
  return wallet
}
