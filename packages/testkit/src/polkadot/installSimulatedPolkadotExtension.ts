import type { BrowserContext, Page } from '@playwright/test'
import { installBridge } from '../page/bridge.ts'
import {
  createSimulatedPolkadotExtension,
  type SimulatedPolkadotExtension,
  type SimulatedPolkadotOptions,
} from './simulatedPolkadotExtension.ts'

/**
 * Installs a simulated Polkadot extension in a page, or in all pages of a context, for all documents loaded from now on.
 * Its keys stay in the test process.
 *
 * @example const extension = await installSimulatedPolkadotExtension(page, { accounts: [{ seed: '01'.repeat(32) }] })
 */
export async function installSimulatedPolkadotExtension(
  target: Page | BrowserContext,
  options: SimulatedPolkadotOptions,
): Promise<SimulatedPolkadotExtension> {
  const extension = createSimulatedPolkadotExtension(options)
  const half = { module: 'polkadot/inject', install: 'installPolkadotInPage', args: [extension.info] }
  await installBridge(target, extension, crypto.randomUUID().replaceAll('-', ''), half)
  return extension
}
