import type { BrowserContext, Page } from '@playwright/test'
import { installBridge } from './bridge.ts'
import type { Appearance } from './inject.ts'
import { createSimulatedExtension, type SimulatedExtension, type SimulatedExtensionOptions } from './extension.ts'

/** A simulated extension in a page; the test holds its other end. */
export type InstalledExtension = SimulatedExtension

export type InstallOptions = SimulatedExtensionOptions & {
  /** Milliseconds after a document began to load before the wallet announces itself; at once when left out. */
  announceAfter?: number
  /** Whether it announces itself; true when left out. */
  announces?: boolean
  /** The flags with which it lies at `window.ethereum` too; left out when it does not. */
  legacyFlags?: readonly string[]
}

/**
 * Installs a simulated extension in a page, or in all pages of a context, for all documents loaded from now on. Its
 * keys and its way to the chain stay in the test's process, so that no content policy of a page stands in its way, and
 * what it was permitted outlives a reload.
 *
 * @example
 * const extension = await installSimulatedExtension(page, { privateKeys: [key], rpcUrls: { 31337: rpcUrl }, chainId: 31337 })
 * extension.rejectNext()
 */
export async function installSimulatedExtension(
  target: Page | BrowserContext,
  { announceAfter = 0, announces = true, legacyFlags, ...options }: InstallOptions,
): Promise<InstalledExtension> {
  const extension = createSimulatedExtension(options)
  const appearance: Appearance = { after: announceAfter, announces, legacyFlags }
  const half = { module: 'inject', install: 'installInPage', args: [extension.info, appearance] }
  await installBridge(target, extension, extension.info.uuid.replaceAll('-', ''), half)
  return extension
}

export { installSimulatedSolanaWallet, type InstallSolanaOptions } from './solana/playwright.ts'
export { openSafePage } from './safe/openSafePage.ts'
export { installSimulatedBitcoinWallet, type InstallBitcoinOptions } from './bitcoin/playwright.ts'
export { installSimulatedPolkadotExtension } from './polkadot/playwright.ts'
