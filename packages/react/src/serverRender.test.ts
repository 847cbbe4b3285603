import { connect } from '@latchkey/core'
import { fakeConnector, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { modalOf } from '@latchkey/modal'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  AccountButton,
  ConnectButton,
  LatchkeyEmbed,
  LatchkeyProvider,
  NetworkButton,
  WalletButton,
  type LatchkeyProviderProps,
} from './index.ts'

function app(props: LatchkeyProviderProps): ReactElement {
  const parts = [ConnectButton, AccountButton, NetworkButton, LatchkeyEmbed].map((part) =>
    createElement(part, { key: part.name }),
  )
  return createElement(LatchkeyProvider, props, ...parts, createElement(WalletButton, { wallet: 'Fake Wallet' }))
}

test('server rendering needs no browser and touches no storage', () => {
  expect([typeof window, typeof document]).toEqual(['undefined', 'undefined'])
  const storage = fakeStorage({ denied: true })
  const { latchkey } = fakeWorld({ storage, connectors: [fakeConnector()] })
  const html = renderToString(app({ latchkey }))
  expect(html).toContain('>Connect</span>')
  expect(html).toContain('Network 1')
  expect(html).toContain('Fake Wallet')
  expect(html).not.toContain('0xaa')
  expect(modalOf(latchkey).alerts.getState()).toEqual([])
})

test('server rendering is independent of language, theme and wallet, which follow in the page', async () => {
  const storage = fakeStorage()
  await connect(fakeWorld({ storage, connectors: [fakeConnector()] }).latchkey, 'fake')
  storage.setItem('theme', 'dark')
  const remembering = fakeWorld({ storage, connectors: [fakeConnector()] })
  const fresh = fakeWorld({ connectors: [fakeConnector()] })
  const locale = 'auto'
  expect(renderToString(app({ latchkey: remembering.latchkey, locale }))).toBe(
    renderToString(app({ latchkey: fresh.latchkey, locale })),
  )
})
