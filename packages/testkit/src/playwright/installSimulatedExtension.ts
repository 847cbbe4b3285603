import { installBridge, type BridgeTarget } from '../page/bridge.ts'
import type { Appearance } from '../page/inject.ts'
import { createSimulatedExtension, type SimulatedExtension, type SimulatedExtensionOptions } from '../evm/extension.ts'

/** A simulated extension in a page. The test controls it. */
export type InstalledExtension = SimulatedExtension

export type InstallOptions = SimulatedExtensionOptions & {
  /** The delay between the start of document loading and the announcement, in milliseconds. Default: 0. */
  announceAfter?: number
  /** True if the wallet announces itself. Default: true. */
  announces?: boolean
  /** The flags of the wallet at `window.ethereum`. Default: not injected there. */
  legacyFlags?: readonly string[]
}

/**
 * Installs a simulated extension in a page, or in all pages of a context, for all documents loaded from now on. Its
 * keys and chain connection stay in the test process. It therefore works under any content security policy, and its
 * permissions survive a reload.
 *
 * @example
 * const extension = await installSimulatedExtension(page, { privateKeys: [key], rpcUrls: { 31337: rpcUrl }, chainId: 31337 })
 * extension.rejectNext()
 */
export async function installSimulatedExtension(
  target: BridgeTarget,
  { announceAfter = 0, announces = true, legacyFlags, ...options }: InstallOptions,
): Promise<InstalledExtension> {
  const extension = createSimulatedExtension(options)
  const appearance: Appearance = { after: announceAfter, announces, legacyFlags }
  const half = { module: 'page/inject', install: 'installInPage', args: [extension.info, appearance] }
  await installBridge(target, extension, extension.info.uuid.replaceAll('-', ''), half)
  return extension
}
