import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Backend } from './pageProvider.ts'

/** The page script of a wallet: an exported function, called as `(bridgeName, eventName, ...args)`. `module` is relative to `src`. */
export type PageHalf = { module: string; install: string; args: readonly unknown[] }

/** A page as the bridge needs it. Pages of Playwright are one; other drivers of browsers can provide it. */
export type BridgePage = {
  /** Runs a function in the page, with an argument that can be serialized. */
  evaluate(run: (argument: readonly [string, unknown]) => void, argument: readonly [string, unknown]): Promise<unknown>
}

/** A page, or a browser context of Playwright with all of its pages. */
export type BridgeTarget = {
  /** Defines a function of the test in all documents loaded from now on. */
  exposeFunction(name: string, callback: (message: string) => Promise<string>): Promise<unknown>
  /** Runs a script in all documents loaded from now on. */
  addInitScript(script: { content: string }): Promise<unknown>
} & (BridgePage | { pages(): readonly BridgePage[] })

/**
 * Installs a wallet's page script in a page, or in all pages of a context, for all documents loaded from now on. The
 * script talks to the wallet in the test process over a bridge, which works under any content security policy.
 *
 * @param id the wallet's id in the page, letters and digits only
 */
export async function installBridge(target: BridgeTarget, wallet: Backend, id: string, half: PageHalf): Promise<void> {
  const [bridgeName, eventName] = [`__latchkeyWallet${id}`, `latchkey-wallet-${id}`]
  await target.exposeFunction(bridgeName, (message: string) => respondToPage(wallet, message))
  await target.addInitScript({ content: await bundlePageHalf(half, [bridgeName, eventName, ...half.args]) })
  wallet.subscribe((event, value) => {
    const detail = { event, value: toPlainError(value) }
    for (const page of 'pages' in target ? target.pages() : [target]) dispatch(page, eventName, detail)
  })
}

function dispatch(page: BridgePage, eventName: string, detail: { event: string; value: unknown }): void {
  const dispatched = page.evaluate(([name, news]) => void dispatchEvent(new CustomEvent(name, { detail: news })), [
    eventName,
    detail,
  ] as const)
  // A closed or navigating page receives no events.
  dispatched.catch(() => undefined)
}

/** Errors cannot be serialized, so only their fields are sent. */
async function respondToPage(wallet: Backend, message: string): Promise<string> {
  try {
    // The page script of this wallet wrote the message.
    const args = JSON.parse(message) as { method: string; params?: unknown }
    return JSON.stringify({ result: (await wallet.request(args)) ?? null })
  } catch (error) {
    return JSON.stringify({ error: toPlainError(error) })
  }
}

function toPlainError(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { code: Reflect.get(value, 'code'), message: value.message, data: Reflect.get(value, 'data') }
}

async function bundlePageHalf({ module, install }: PageHalf, args: readonly unknown[]): Promise<string> {
  const entry = JSON.stringify(fileURLToPath(new URL(`../${module}`, import.meta.url)))
  const values = args.map((arg) => JSON.stringify(arg)).join(', ')
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${install} } from ${entry}; ${install}(${values})`,
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
