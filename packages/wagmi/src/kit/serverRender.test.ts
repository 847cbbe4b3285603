import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { mainnet } from 'viem/chains'
import { createConfig, WagmiProvider, type Config } from 'wagmi'
import { expect, test } from 'vitest'
import * as connectKit from '../connectkit/index.ts'
import * as rainbowKit from '../rainbowkit/index.ts'

function wrapInWagmi(config: Config, children: ReactNode): ReactElement {
  const inner = createElement(QueryClientProvider, { client: new QueryClient() }, children)
  return createElement(WagmiProvider, { config, reconnectOnMount: false }, inner)
}

test('a server renders the button of RainbowKit, and the custom button as not mounted', () => {
  const config = rainbowKit.getDefaultConfig({ appName: 'App', chains: [mainnet], ssr: true })
  // oxlint-disable-next-line react/no-children-prop -- the type of children as arguments is not that of a function
  const custom = createElement(rainbowKit.ConnectButton.Custom, { children: ({ mounted }) => `mounted: ${mounted}` })
  const buttons = [createElement(rainbowKit.ConnectButton, { key: 'a', label: 'Sign up' }), custom]
  const html = renderToString(wrapInWagmi(config, createElement(rainbowKit.RainbowKitProvider, {}, ...buttons)))
  expect(html).toContain('Sign up')
  expect(html).toContain('mounted: false')
})

test('a server renders the button of ConnectKit', () => {
  const config = createConfig(connectKit.getDefaultConfig({ appName: 'App', ssr: true }))
  const button = createElement(connectKit.ConnectKitButton, { label: 'Sign up' })
  const html = renderToString(wrapInWagmi(config, createElement(connectKit.ConnectKitProvider, {}, button)))
  expect(html).toContain('Sign up')
})
