import { connect, type Latchkey } from '@latchkey/core'
import {
  fakeAdapter,
  fakeConnector,
  fakeExchange,
  fakeLoginWorld,
  fakeNetwork,
  fakeWorld,
  type FakeExchange,
} from '@latchkey/core/fakes'
import { sendState } from '@latchkey/core/money'
import type { ViewEntry } from '@latchkey/modal'
import type { TokenBalance } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { enterGarbage } from '../testing/enterGarbage.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeTransfers } from '../testing/fakeTransfers.ts'
import { renderModal } from '../testing/renderModal.tsx'
import { serveExchange } from '../testing/serveExchange.ts'

// The fields that no test of their own view covers. A test fails if an entry breaks a part of the user interface.

const tags = { tags: 'browsers', timeout: 120_000 } as const
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'

const coin: TokenBalance = {
  name: 'Coin',
  symbol: 'COIN',
  chainId: 'eip155:1',
  price: 2_000,
  value: 0,
  quantity: { decimals: '18', numeric: '2' },
  iconUrl: '',
}

type Rendered = { latchkey: Latchkey; screen: RenderResult; advance(milliseconds: number): void }

/** Renders a view of an account that holds coins and can send them. */
async function renderAccountView(view: 'WalletSend' | 'WalletSendSelectToken' | 'WalletReceive' | 'ManageTokens') {
  const { url, projectId } = fakeServer({ balances: [coin] })
  const adapter = fakeAdapter({ balances: { [address]: 2n * 10n ** 18n } })
  const transfers = fakeTransfers(adapter)
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], server: url, projectId })
  await connect(world.latchkey, 'fake')
  return { ...(await render(world, { view, params: {} })), transfers }
}

/** Renders the swap form with both tokens chosen. */
async function renderSwapView(change: (exchange: FakeExchange) => void = () => {}): Promise<Rendered> {
  const exchange = fakeExchange('eip155:1', address)
  change(exchange)
  const server = 'https://server.invalid'
  serveExchange(exchange, server)
  const adapter = fakeAdapter({ balances: { [address]: 5n * 10n ** 18n } })
  const world = fakeWorld({
    adapters: [adapter],
    connectors: [fakeConnector()],
    server,
    projectId: '0'.repeat(32),
  })
  await connect(world.latchkey, 'fake')
  const rendered = await render(world, { view: 'Swap', params: {} })
  const { screen } = rendered
  await screen.getByRole('button', { name: 'Select token', exact: true }).first().click()
  await screen
    .getByRole('region', { name: 'All tokens' })
    .getByRole('button', { name: /Latch Dollar/ })
    .click()
  return rendered
}

async function render(
  { latchkey, clock }: { latchkey: Latchkey; clock: { advance(milliseconds: number): void } },
  entry: ViewEntry,
): Promise<Rendered> {
  return { latchkey, screen: await renderModal(latchkey, entry), advance: (time) => clock.advance(time) }
}

test('no entry breaks the slippage of a swap [R9.5.1]', tags, async () => {
  const { latchkey, screen } = await renderSwapView()
  await screen.getByRole('textbox', { name: /^Amount/ }).fill('1')
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'Slippage in percent' }))).toEqual([])
})

test('no entry breaks the word that confirms a high price impact, or confirms it', tags, async () => {
  const { latchkey, screen, advance } = await renderSwapView((exchange) => {
    exchange.instead['quotes'] = (request) => {
      const { quotes } = Object(exchange.usual(request).body) as { quotes: readonly object[] }
      return { body: { quotes: quotes.map((quote) => ({ ...quote, priceImpact: 20 })) } }
    }
  })
  await screen.getByRole('textbox', { name: /^Amount/ }).fill('1')
  advance(500)
  await screen.getByRole('button', { name: 'Review swap' }).click()
  const field = screen.getByRole('textbox', { name: /to swap anyway/ })
  const next = screen.getByRole('button', { name: /^(Swap|Approve .*)$/ }).last()
  const isBlocked = async (): Promise<void> => {
    await expect.element(next).toHaveAttribute('aria-disabled', 'true')
  }
  expect(await enterGarbage(latchkey, field, isBlocked)).toEqual([])
})

test('no search breaks the tokens of a swap', tags, async () => {
  const { latchkey, screen, advance } = await renderSwapView()
  await screen.getByRole('button', { name: 'Token LUSD. Choose another one' }).click()
  const search = screen.getByRole('searchbox')
  expect(await enterGarbage(latchkey, search, async () => advance(300))).toEqual([])
})

test.each([false, bob] as const)(
  'no entry breaks the receiver of a payment, or the search for a name that leads to %s',
  tags,
  async (found) => {
    const { latchkey, screen, advance, transfers } = await renderAccountView('WalletSend')
    const searched: string[] = []
    transfers.resolveName = async (_network, name) => {
      searched.push(name)
      return found
    }
    const search = async (): Promise<void> => {
      advance(500)
      await expect.poll(() => sendState(latchkey).getState().resolving).toBe(false)
    }
    expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'To' }), search)).toEqual([])
    expect(searched.length).toBeGreaterThan(3)
  },
)

test('no entry breaks the name of a contact', tags, async () => {
  const { latchkey, screen } = await renderAccountView('WalletSend')
  await screen.getByRole('textbox', { name: /^Amount/ }).fill('1')
  await screen.getByRole('textbox', { name: 'To' }).fill(bob)
  await screen.getByRole('button', { name: 'Save to address book', exact: true }).click()
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'Name for this address' }))).toEqual([])
})

test.each(['WalletSendSelectToken', 'ManageTokens'] as const)(
  'no search breaks the tokens of the view %s',
  tags,
  async (view) => {
    const { latchkey, screen, advance } = await renderAccountView(view)
    const search = screen.getByRole('searchbox')
    expect(await enterGarbage(latchkey, search, async () => advance(300))).toEqual([])
  },
)

test('no entry breaks the amount of a payment request', tags, async () => {
  const { latchkey, screen } = await renderAccountView('WalletReceive')
  await screen.getByRole('button', { name: 'Request an amount' }).click()
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: /^Amount in/ }))).toEqual([])
})

test('no search breaks the list of networks', tags, async () => {
  const [first, ...others] = Array.from({ length: 12 }, (_, index) => fakeNetwork({ id: index + 1 }))
  const networks = [first ?? fakeNetwork(), ...others] as const
  const { latchkey, screen } = await render(fakeWorld({ adapters: [fakeAdapter({ networks })] }), {
    view: 'Networks',
    params: {},
  })
  expect(await enterGarbage(latchkey, screen.getByRole('searchbox'))).toEqual([])
})

test('no entry breaks the change of an email address', tags, async () => {
  const email = 'ann@mail.example'
  const world = fakeLoginWorld({ login: { user: { email } } })
  await connect(world.latchkey, 'embedded')
  const { latchkey, screen } = await render(world, { view: 'AccountSettings', params: {} })
  await screen.getByRole('button', { name: `${email} Email address` }).click()
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'New email address' }))).toEqual([])
})

test('no entry breaks the code of a login', tags, async () => {
  const world = fakeLoginWorld()
  const { latchkey, screen } = await render(world, { view: 'Connect', params: {} })
  await screen.getByRole('textbox', { name: 'Email address' }).fill('ann@mail.example')
  await screen.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect.element(screen.getByRole('heading', { name: 'Register device' })).toBeVisible()
  world.login.approveDevice()
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'Six-digit code' }))).toEqual([])
})
