import { LatchkeyProvider } from '@latchkey/react'
import { lazy, Suspense, useEffect, useMemo, useState, type ReactElement } from 'react'
import { LandingPage } from '../pages/LandingPage.tsx'
import { SiteFooter } from '../parts/SiteFooter.tsx'
import { SiteHeader } from '../parts/SiteHeader.tsx'
import { applyTheme } from './applyTheme.ts'
import type { SiteConfig } from './config.ts'
import { instanceOptionsOf, makeInstance, makeWays } from './instance.ts'
import { defaultOptions, signInOfAddress, type PlaygroundOptions } from './options.ts'
import { usePage, type Page } from './route.ts'

const AccountPage = lazy(() => import('../pages/AccountPage.tsx'))
const PlaygroundPage = lazy(() => import('../pages/PlaygroundPage.tsx'))
const StatusPage = lazy(() => import('../pages/StatusPage.tsx'))

const titles: { [page in Page]: string } = {
  '/': 'Latchkey',
  '/playground': 'Playground · Latchkey',
  '/account': 'Account · Latchkey',
  '/status': 'Status · Latchkey',
}

/** The whole site: one instance, four pages. */
export function App({ config }: { config: SiteConfig }): ReactElement {
  const page = usePage()
  const [{ options, made }, setChoice] = useState(() => {
    const usual = defaultOptions(config.networks.map((network) => network.caipNetworkId))
    const first = { ...usual, signIn: signInOfAddress() }
    return { options: first, made: instanceOptionsOf(first) }
  })
  const setOptions = (next: PlaygroundOptions): void =>
    setChoice((before) => ({ options: next, made: instanceOptionsOf(next, before.made) }))
  const ways = useMemo(() => makeWays(config), [config])
  const latchkey = useMemo(() => makeInstance(config, ways, made), [config, ways, made])
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
          {page === '/' && <LandingPage />}
          {page === '/playground' && <PlaygroundPage config={config} options={options} onChange={setOptions} />}
          {page === '/account' && <AccountPage config={config} />}
          {page === '/status' && <StatusPage config={config} />}
        </Suspense>
      </main>
      <SiteFooter />
    </LatchkeyProvider>
  )
}
