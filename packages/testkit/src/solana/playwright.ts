import type { BrowserContext, Page } from '@playwright/test'
import { installBridge } from '../bridge.ts'
import { createSimulatedSolanaWallet, type SimulatedSolanaOptions, type SimulatedSolanaWallet } from './wallet.ts'

export type InstallSolanaOptions = SimulatedSolanaOptions & {
  /** Milliseconds after a document began to load before the wallet registers itself; at once when left out. */
  registerAfter?: number
}

/**
 * Installs a simulated wallet of Solana in a page, or in all pages of a context, for all documents loaded from now on.
 * Its keys and its way to the chain stay in the test's process.
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
