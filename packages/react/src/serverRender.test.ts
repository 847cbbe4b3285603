import { connect, cookieStorage, hydrate } from '@latchkey/core'
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

function createApp(props: LatchkeyProviderProps): ReactElement {
  const parts = [ConnectButton, AccountButton, NetworkButton, LatchkeyEmbed].map((part) =>
    createElement(part, { key: part.name }),
  )
  return createElement(LatchkeyProvider, props, ...parts, createElement(WalletButton, { wallet: 'Fake Wallet' }))
}

test('server rendering needs no browser and touches no storage', () => {
  expect([typeof window, typeof document]).toEqual(['undefined', 'undefined'])
  const storage = fakeStorage({ denied: true })
  const { latchkey } = fakeWorld({ storage, connectors: [fakeConnector()] })
  const html = renderToString(createApp({ latchkey }))
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
  expect(renderToString(createApp({ latchkey: remembering.latchkey, locale }))).toBe(
    renderToString(createApp({ latchkey: fresh.latchkey, locale })),
  )
})

test('a server renders the account that the cookies of the user contain', async () => {
  const jar = cookieJar()
  await connect(
    fakeWorld({ storage: { ...fakeStorage(), ...cookieStorage(jar) }, connectors: [fakeConnector()] }).latchkey,
    'fake',
  )
  const sent = cookieStorage({ cookie: jar.cookie })
  const { latchkey } = fakeWorld({ storage: { ...fakeStorage(), ...sent }, connectors: [fakeConnector()] })
  hydrate(latchkey)
  const html = renderToString(createApp({ latchkey }))
  expect(html).toContain('data-account="reconnecting"')
  expect(html).toContain('0xaa')
})

test('a server renders the styles of each button inside it, with the nonce of the page', () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const html = renderToString(createApp({ latchkey, nonce: 'abc' }))
  const buttons = html.match(/<button [^>]*>/g)
  expect(buttons).toHaveLength(3)
  expect(html.match(/<button [^>]*><style nonce="abc">\.latchkey-button\{/g)).toHaveLength(3)
  // The fourth belongs to the embedded modal.
  expect(html.match(/<style/g)).toHaveLength(4)
  expect(html).toMatch(/<latchkey-modal [^>]*><style nonce="abc">/)
  expect(html).not.toContain('&gt;*')
})

/** A cookie jar like that of a page: a written cookie is added to the others. */
function cookieJar(): { cookie: string } {
  const cookies = new Map<string, string>()
  return {
    get cookie() {
      return [...cookies].map((entry) => entry.join('=')).join('; ')
    },
    set cookie(written) {
      const [pair = ''] = written.split('; ')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    },
  }
}
