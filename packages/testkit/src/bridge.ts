import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { build } from 'esbuild'
import type { Backend } from './pageProvider.ts'

/** The page's half of a wallet: a function of a module beside this one, called as `(bridgeName, eventName, ...args)`. */
export type PageHalf = { module: string; install: string; args: readonly unknown[] }

/**
 * Puts the page's half of a wallet into a page, or into all pages of a context, for all documents loaded from now on,
 * with a bridge to the wallet in the test's process: no content policy of a page stands in its way.
 *
 * @param id letters and digits that name the wallet in the page
 */
export async function installBridge(
  target: Page | BrowserContext,
  wallet: Backend,
  id: string,
  half: PageHalf,
): Promise<void> {
  const [bridgeName, eventName] = [`__latchkeyWallet${id}`, `latchkey-wallet-${id}`]
  await target.exposeFunction(bridgeName, (message: string) => answer(wallet, message))
  await target.addInitScript({ content: await bundle(half, [bridgeName, eventName, ...half.args]) })
  wallet.subscribe((event, value) => {
    const detail = { event, value: plain(value) }
    for (const page of 'pages' in target ? target.pages() : [target]) tell(page, eventName, detail)
  })
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
async function answer(wallet: Backend, message: string): Promise<string> {
  try {
    // Written by the page's half of this very wallet.
    const args = JSON.parse(message) as { method: string; params?: unknown }
    return JSON.stringify({ result: (await wallet.request(args)) ?? null })
  } catch (error) {
    return JSON.stringify({ error: plain(error) })
  }
}

function plain(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { code: Reflect.get(value, 'code'), message: value.message, data: Reflect.get(value, 'data') }
}

async function bundle({ module, install }: PageHalf, args: readonly unknown[]): Promise<string> {
  const entry = JSON.stringify(fileURLToPath(new URL(`./${module}`, import.meta.url)))
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
