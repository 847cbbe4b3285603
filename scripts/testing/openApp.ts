import { announce, type SimulatedExtension } from '@latchkey/testkit'
import { onTestFinished } from 'vitest'
import { page, type FrameLocator } from 'vitest/browser'

/** An app in a page of its own, which can be reloaded. */
export type OpenedApp = {
  readonly screen: FrameLocator
  /** The window of the app. */
  readonly window: Window & typeof globalThis
  /** The text of the app, without the modal. */
  text(): string
  reload(): Promise<void>
}

/** Prepares a page before its app runs. */
export type Setup = (page: Window & typeof globalThis) => void

/**
 * Opens an app in an iframe.
 *
 * @param folder with the app and `page.html`, from the root of the repository: Vite serves its files
 * @param name of the app's file
 * @param setUp called in each page before the app runs
 */
export async function openApp(folder: string, name: string, setUp: Setup = () => {}): Promise<OpenedApp> {
  const frame = document.createElement('iframe')
  frame.title = name
  // A click outside of the page that Vitest shows would be lost.
  await page.viewport(900, 760)
  frame.style.cssText = 'inline-size:800px;block-size:700px;border:0'
  frame.dataset['testid'] = name
  document.body.append(frame)
  onTestFinished(() => {
    frame.contentWindow?.localStorage.clear()
    frame.remove()
  })
  const load = async (): Promise<Window & typeof globalThis> => {
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    frame.src = `${folder}/page.html?${crypto.randomUUID()}`
    await loaded
    const inner = frame.contentWindow as Window & typeof globalThis
    // The plugin of React for development expects these.
    Object.assign(inner, {
      __vite_plugin_react_preamble_installed__: true,
      $RefreshReg$: () => {},
      $RefreshSig$: () => (type: unknown) => type,
      // Vitest rewrites dynamic imports.
      __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() },
    })
    // Vitest reports the errors of its own page only.
    inner.addEventListener('unhandledrejection', ({ reason }) => console.error(reason))
    setUp(inner)
    const script = inner.document.createElement('script')
    script.type = 'module'
    script.src = `${folder}/${name}.tsx`
    const started = new Promise((resolve, reject) => {
      script.addEventListener('load', resolve)
      script.addEventListener('error', reject)
      inner.addEventListener('error', ({ error }) => reject(error as Error))
    })
    inner.document.body.append(script)
    await started
    return inner
  }
  let current = await load()
  return {
    screen: page.frameLocator(page.getByTestId(name)),
    get window() {
      return current
    },
    text: () => current.document.querySelector('main')?.innerText ?? '',
    async reload() {
      current = await load()
    },
  }
}

/** Announces a wallet in the page of an app. */
export function announceIn(extension: SimulatedExtension): Setup {
  return (page) => void announce(extension, page)
}
