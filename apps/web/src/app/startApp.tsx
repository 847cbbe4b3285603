import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { parseSignInChoice } from './playgroundOptions.ts'
import { readSiteConfig } from './siteConfig.ts'
import { currentPage } from './usePage.ts'

/**
 * Starts the app in its page. Takes over the HTML that the host rendered in advance, or renders it if there is none.
 *
 * @param onReady called once the controls of the page work
 * @throws Error if the page has no configuration
 * @example startApp(document, () => console.log('ready'))
 */
export function startApp(page: Document, onReady: () => void): void {
  const root = page.querySelector('#root')
  if (root === null) throw new Error('index.html has no #root.')
  const signIn = parseSignInChoice()
  const app = (
    <StrictMode>
      <App config={readSiteConfig(page)} firstPage={currentPage()} signIn={signIn} onReady={onReady} />
    </StrictMode>
  )
  // The host renders the default options.
  const isRendered = root.childElementCount > 0 && signIn === 'off'
  if (!isRendered) return createRoot(root).render(app)
  // A transition yields to the browser, so that a slow device stays responsive.
  startTransition(() => void hydrateRoot(root, app))
}
