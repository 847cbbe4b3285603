import { LatchkeyProvider } from '@latchkey/react'
import { lazy, Suspense, useEffect, useMemo, useState, type ReactElement } from 'react'
import { LandingPage } from '../pages/LandingPage.tsx'
import { SiteFooter } from '../components/SiteFooter.tsx'
import { SiteHeader } from '../components/SiteHeader.tsx'
import { applyTheme } from './applyTheme.ts'
import type { SiteConfig } from './siteConfig.ts'
import { toInstanceOptions, createInstance, createConnectors } from './createInstance.ts'
import { defaultOptions, type PlaygroundOptions, type SignInChoice } from './playgroundOptions.ts'
import { usePage, type Page } from './usePage.ts'

const AccountPage = lazy(() => import('../pages/AccountPage.tsx'))
const PlaygroundPage = lazy(() => import('../pages/PlaygroundPage.tsx'))
const StatusPage = lazy(() => import('../pages/StatusPage.tsx'))

const titles: { [page in Page]: string } = {
  '/': 'Latchkey',
  '/playground': 'Playground · Latchkey',
  '/account': 'Account · Latchkey',
  '/status': 'Status · Latchkey',
}

type AppProps = {
  config: SiteConfig
  /** The page that is rendered first. */
  firstPage: Page
  signIn: SignInChoice
  /** Called once the controls of the first page work. */
  onReady?: () => void
}

/** The site: one instance and four pages. */
export function App({ config, firstPage, signIn, onReady }: AppProps): ReactElement {
  const page = usePage(firstPage)
  const [{ options, instanceOptions }, setChoice] = useState(() => {
    const defaults = defaultOptions(config.networks.map((network) => network.caipNetworkId))
    const first = { ...defaults, signIn }
    return { options: first, instanceOptions: toInstanceOptions(first) }
  })
  const setOptions = (next: PlaygroundOptions): void =>
    setChoice((previous) => ({
      options: next,
      instanceOptions: toInstanceOptions(next, previous.instanceOptions),
    }))
  const connectors = useMemo(() => createConnectors(config), [config])
  const latchkey = useMemo(
    () => createInstance(config, connectors, instanceOptions),
    [config, connectors, instanceOptions],
  )
  useEffect(() => applyTheme(options), [options])
  useEffect(() => void (document.title = titles[page]), [page])

  return (
    <LatchkeyProvider latchkey={latchkey} theme={options.theme} locale={options.locale}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <SiteHeader page={page} />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<div className="page-wait" />}>
          {page === '/' && <LandingPage docs={config.docs} />}
          {page === '/playground' && <PlaygroundPage config={config} options={options} onChange={setOptions} />}
          {page === '/account' && <AccountPage config={config} />}
          {page === '/status' && <StatusPage config={config} />}
          <Ready onReady={onReady} />
        </Suspense>
      </main>
      <SiteFooter />
    </LatchkeyProvider>
  )
}

/** Calls onReady once its Suspense boundary has hydrated. */
function Ready({ onReady }: Pick<AppProps, 'onReady'>): null {
  useEffect(() => onReady?.(), [onReady])
  return null
}
