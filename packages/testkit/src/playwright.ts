import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { build } from 'esbuild'
import { createSimulatedExtension, type SimulatedExtension, type SimulatedExtensionOptions } from './extension.ts'

/** A simulated extension in a page; the test holds its other end. */
export type InstalledExtension = SimulatedExtension

export type InstallOptions = SimulatedExtensionOptions & {
  /** Milliseconds after a document began to load before the wallet announces itself; at once when left out. */
  announceAfter?: number
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
  { announceAfter = 0, ...options }: InstallOptions,
): Promise<InstalledExtension> {
  const extension = createSimulatedExtension(options)
  const id = extension.info.uuid.replaceAll('-', '')
  const [bridgeName, eventName] = [`__latchkeyWallet${id}`, `latchkey-wallet-${id}`]
  await target.exposeFunction(bridgeName, (message: string) => answer(extension, message))
  await target.addInitScript({ content: await bundle(extension.info, bridgeName, eventName, announceAfter) })
  extension.subscribe((event, value) => {
    const detail = { event, value: plain(value) }
    for (const page of 'pages' in target ? target.pages() : [target]) tell(page, eventName, detail)
  })
  return extension
}

function tell(page: Page, eventName: string, detail: { event: string; value: unknown }): void {
  const told = page.evaluate(([name, news]) => void dispatchEvent(new CustomEvent(name, { detail: news })), [
    eventName,
    detail,
  ] as const)
  // A page that is closed or on its way elsewhere hears nothing, like any page.
  told.catch(() => undefined)
}

/** Errors do not travel by themselves: only their fields do. */
async function answer(extension: SimulatedExtension, message: string): Promise<string> {
  try {
    // Written by the page's half of this very extension.
    const args = JSON.parse(message) as { method: string; params?: unknown }
    return JSON.stringify({ result: (await extension.request(args)) ?? null })
  } catch (error) {
    return JSON.stringify({ error: plain(error) })
  }
}

function plain(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { code: Reflect.get(value, 'code'), message: value.message, data: Reflect.get(value, 'data') }
}

async function bundle(...args: readonly unknown[]): Promise<string> {
  const entry = JSON.stringify(fileURLToPath(new URL('./inject', import.meta.url)))
  const values = args.map((arg) => JSON.stringify(arg)).join(', ')
  const { outputFiles } = await build({
    stdin: {
      contents: `import { installInPage } from ${entry}; installInPage(${values})`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    resolveExtensions: ['.ts', '.js'],
  })
  return outputFiles[0]?.text ?? ''
}
