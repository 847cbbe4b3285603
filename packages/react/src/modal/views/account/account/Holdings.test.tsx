import { connect, sendTransaction, type Feature } from '@latchkey/core'
import { fakeAdapter, fakeAddress, fakeConnector, fakeHash, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { followTransaction } from '@latchkey/core/money'
import { openModal } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { HeldNft, HistoryItem, HistoryTransfer, TokenBalance } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { ConnectButton } from '../../../../button/ConnectButton.tsx'
import { useHistory } from '../../../../hooks/useHistory.ts'
import { renderApp, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer, type FakeServer } from '../../../../testing/fakeServer.ts'
import { gapsOf } from '../../../../testing/gapsOf.ts'
import { ageOf, monthsOf } from './monthsOf.ts'

const en = holdingsMessages.english

const now = Date.UTC(2026, 6, 15, 12)
const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

const native: TokenBalance = {
  name: 'Coin',
  symbol: 'COIN',
  chainId: 'eip155:1',
  price: 0,
  quantity: { decimals: '18', numeric: '1234.5678' },
  iconUrl: '',
}
const dollar = { ...native, name: 'Dollar', symbol: 'USD', address: 'eip155:1:0xdd', price: 1, value: 10.006 }
const gold = { ...native, name: 'Gold', symbol: 'AU', address: 'eip155:1:0xau', price: 9, value: 99.1 }

function createHistoryTransfer(more: Partial<HistoryTransfer> = {}): HistoryTransfer {
  return {
    fungible_info: { name: 'Coin', symbol: 'COIN', icon: null },
    nft_info: null,
    direction: 'in',
    quantity: { numeric: '1.23456' },
    value: null,
    price: null,
    ...more,
  }
}

function createHistoryItem(
  id: string,
  more: Partial<HistoryItem['metadata']> = {},
  transfers = [createHistoryTransfer()],
): HistoryItem {
  return {
    id,
    metadata: {
      operationType: 'receive',
      hash: fakeHash('w', Number(id)),
      minedAt: new Date(now - 90_000).toISOString(),
      sentFrom: `0x${'a'.repeat(40)}`,
      sentTo: `0x${'b'.repeat(40)}`,
      status: 'confirmed',
      nonce: 1,
      application: null,
      chain: 'eip155:1',
      ...more,
    },
    transfers,
  }
}

function createNft(tokenId: string, more: Partial<HeldNft> = {}): HeldNft {
  return {
    id: `eip155:1/erc721:0xc/${tokenId}`,
    chainId: 'eip155:1',
    contract: '0xc',
    tokenId,
    name: `Cat ${tokenId}`,
    collection: { name: 'Cats', symbol: null },
    picture: null,
    quantity: '1',
    isSpam: false,
    ...more,
  }
}

type Options = { server?: FakeServer; features?: readonly Feature[]; locale?: string }

async function renderView({ server = fakeServer(), features, locale }: Options = {}): Promise<
  FakeWorld & { screen: RenderResult }
> {
  const { url, projectId } = server
  const world = fakeWorld({
    adapters: [fakeAdapter({ features })],
    connectors: [fakeConnector()],
    server: url,
    projectId,
  })
  world.clock.advance(now - world.clock.now())
  await connect(world.latchkey, 'fake')
  return { ...world, screen: await renderModal(world.latchkey, undefined, { locale }) }
}

const getTab = (screen: RenderResult, name: string) => screen.getByRole('tab', { name })
const listTexts = (selector: string): readonly string[] =>
  [...modalRoot().querySelectorAll(selector)].map(({ textContent }) => textContent ?? '')

test('the tabs are tokens, NFTs and activity, and the arrow keys move between them [R2.3]', async () => {
  const { screen } = await renderView()
  await expect.element(getTab(screen, 'Tokens')).toHaveAttribute('aria-selected', 'true')
  expect(listTexts('[role=tab]')).toEqual(['Tokens', 'NFTs', 'Activity'])
  await getTab(screen, 'Tokens').click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(getTab(screen, 'NFTs')).toHaveAttribute('aria-selected', 'true')
  await expect.element(screen.getByRole('tabpanel', { name: 'NFTs' })).toBeVisible()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.poll(() => modalRoot().activeElement?.textContent).toBe('Tokens')
})

test('tokens are ordered by value, with two digits for dollars, three for amounts, and no unknown price [R1.4] [R9.4.1]', async () => {
  await renderView({
    server: fakeServer({
      balances: [
        native,
        dollar,
        gold,
        { ...native, quantity: { decimals: '18', numeric: '0' }, address: 'eip155:1:0x0', name: 'Nought' },
      ],
    }),
  })
  await expect
    .poll(() => listTexts('.holding'))
    .toEqual([
      'AGoldAU1,234.567$99.10',
      'UDollarUSD1,234.567$10.01',
      'CCoinCOIN1,234.567Price unknown',
      'CNoughtCOIN0.000Price unknown',
    ])
  expect(listTexts('.worth')).toEqual(['Total value: $109.11'])
})

test('the total value is hidden if no price is known', async () => {
  await renderView({ server: fakeServer({ balances: [native] }) })
  await expect.poll(() => listTexts('.holding')).toHaveLength(1)
  expect(listTexts('.worth')).toEqual([''])
})

test('the available actions open their views [R2.3] [R9.3.1]', async () => {
  const { screen } = await renderView()
  await expect.element(screen.getByRole('button', { name: 'Receive', exact: true }).first()).toBeVisible()
  await screen.getByRole('button', { name: 'Receive', exact: true }).first().click()
  await expect.element(screen.getByRole('heading', { name: 'Receive' })).toBeVisible()
})

test('a namespace with tokens only has no tabs, and one without assets shows none [R9.4.3]', async () => {
  const { screen } = await renderView({ server: fakeServer({ balances: [native] }), features: ['balances'] })
  await expect.element(screen.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  expect(listTexts('[role=tab]')).toEqual([])
})

test('a network that the server does not support shows no assets, and support is requested once', async () => {
  const server = fakeServer({ balances: [native], served: ['eip155:7'] })
  const { screen } = await renderView({ server })
  await expect.element(screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  await expect.poll(() => listTexts('[role=tab]')).toEqual([])
  expect(server.requests.filter(({ pathname }) => pathname === '/v1/supported-chains')).toHaveLength(1)
})

test('an unknown network offers no actions', async () => {
  const { url, projectId, requests } = fakeServer({ balances: [native] })
  const connector = fakeConnector()
  const { latchkey } = fakeWorld({ connectors: [connector], server: url, projectId, unsupportedNetworks: 'inform' })
  await connect(latchkey, 'fake')
  connector.emitChain('eip155:99')
  await renderModal(latchkey, { view: 'Account', params: {} })
  await expect.poll(() => listTexts('.action')).toEqual(['Receive'])
  expect([listTexts('.skeleton'), listTexts('[role=tab]'), listTexts('.native')]).toEqual([[], [], []])
  expect(requests.filter(({ pathname }) => pathname.startsWith('/v1/account'))).toEqual([])
})

test('NFTs are grouped by collection, and spam is hidden until requested', async () => {
  const nfts = [
    createNft('1'),
    createNft('2', { quantity: '3', picture: { url: svg, contentType: null } }),
    createNft('9', { contract: '0xee', name: null, collection: { name: null, symbol: null } }),
    createNft('4', { contract: '0xbad', name: 'Free money', isSpam: true }),
  ]
  const server = fakeServer({ nfts })
  const { screen } = await renderView({ server })
  await getTab(screen, 'NFTs').click()
  await expect.element(screen.getByRole('region', { name: 'Cats' })).toHaveTextContent('Cat 1')
  await expect.element(screen.getByRole('region', { name: 'Cats' })).toHaveTextContent('×3')
  await expect.element(screen.getByText('Number 9')).toBeVisible()
  await expect.element(screen.getByText('Free money')).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Show 1 hidden' }).click()
  await expect.element(screen.getByText('Free money')).toBeVisible()
  await screen.getByRole('button', { name: 'Hide them again' }).click()
  await expect.element(screen.getByText('Free money')).not.toBeInTheDocument()
})

test('an NFT can be hidden and shown again', async () => {
  const { screen } = await renderView({ server: fakeServer({ nfts: [createNft('1'), createNft('2')] }) })
  await getTab(screen, 'NFTs').click()
  await screen.getByRole('button', { name: 'Hide Cat 2' }).click()
  await expect.element(screen.getByText('Cat 2')).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Show 1 hidden' }).click()
  await screen.getByRole('button', { name: 'Show Cat 2' }).click()
  await expect.element(screen.getByRole('button', { name: 'Hide Cat 2' })).toBeVisible()
})

test('a hidden NFT can be reported as spam, and one that the server marked needs no report', async () => {
  const server = fakeServer({ nfts: [createNft('1'), createNft('2', { isSpam: true, contract: '0xd' })] })
  const { screen } = await renderView({ server })
  await getTab(screen, 'NFTs').click()
  await screen.getByRole('button', { name: 'Hide Cat 1' }).click()
  await screen.getByRole('button', { name: 'Show 2 hidden' }).click()
  await expect.element(screen.getByRole('button', { name: 'Report Cat 2 as spam' })).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Report Cat 1 as spam' }).click()
  await screen.getByRole('button', { name: 'Report', exact: true }).click()
  await expect.element(screen.getByText('Reported as spam')).toBeVisible()
  expect(server.requests.filter(({ pathname }) => pathname === '/v1/spam-reports')).toHaveLength(1)
})

test('NFT images reserve their space and load near the viewport', async () => {
  const url = 'https://server.invalid/v1/nft/eip155%3A1/0xc/1/picture'
  const { screen } = await renderView({
    server: fakeServer({ nfts: [createNft('1', { picture: { url, contentType: 'image/png' } })] }),
  })
  await getTab(screen, 'NFTs').click()
  await expect
    .poll(() => modalRoot().querySelector('.nft-picture')?.getBoundingClientRect().height)
    .toBeGreaterThan(100)
  // The picture is not there: its letter is.
  await expect.poll(() => listTexts('.nft-picture')).toEqual(['C'])
})

test('amounts of transfers have the sign of their operation [R9.5.3]', async () => {
  const signs = {
    receive: '+',
    deposit: '+',
    borrow: '+',
    claim: '+',
    withdraw: '-',
    repay: '-',
    burn: '-',
    send: '',
    approve: '',
  } as const
  const kinds = Object.keys(signs) as (keyof typeof signs)[]
  const history = [kinds.map((operationType, index) => createHistoryItem(String(index), { operationType }))]
  const { screen } = await renderView({ server: fakeServer({ history }) })
  await getTab(screen, 'Activity').click()
  await expect
    .poll(() => listTexts('.holding').map((text) => /([-+]?)1\.234/.exec(text)?.[1]))
    .toEqual(Object.values(signs))
})

test('activity is grouped by month, with amounts, direction and age [R5.7.2] [R9.5.3] [R9.5.4]', async () => {
  const trade = [
    createHistoryTransfer({ direction: 'out', quantity: { numeric: '1' } }),
    createHistoryTransfer({ fungible_info: { name: null, symbol: null, icon: null }, quantity: { numeric: '2500.5' } }),
  ]
  const cat = { name: 'Cat', content: null, flags: { is_spam: false } }
  const at = (date: string): string => new Date(`${date}T12:00:00`).toISOString()
  const history = [
    [
      createHistoryItem('1'),
      createHistoryItem('2', { operationType: 'trade', minedAt: new Date(now - 3 * 3_600_000).toISOString() }, trade),
      createHistoryItem('3', { operationType: 'withdraw', status: 'failed', minedAt: at('2026-06-15') }),
      createHistoryItem('4', { operationType: 'send', minedAt: at('2025-01-01') }, [
        createHistoryTransfer({ fungible_info: null, nft_info: cat }),
      ]),
      createHistoryItem(
        '5',
        { operationType: 'execute', sentFrom: fakeAddress('eip155'), minedAt: at('2024-12-31') },
        [],
      ),
    ],
  ]
  const { screen } = await renderView({ server: fakeServer({ history }) })
  await getTab(screen, 'Activity').click()
  await expect.poll(() => listTexts('.group h2')).toEqual(['July', 'June', 'January 2025', 'December 2024'])
  expect(listTexts('.holding').map((text) => text.replace(/ \(.*\)$/, ''))).toEqual([
    expect.stringMatching(/^CReceivedfrom 0xaa…aaaaaa\+1\.234 COIN1 min/),
    expect.stringMatching(/^CSwapped-1\.000 COIN\+2,500\.500 unnamed token3 hr/),
    expect.stringMatching(/^CWithdrawn Failedto 0xbb…bbbbbb-1\.234 COIN1 mo/),
    expect.stringMatching(/^CSentCat1 yr/),
    expect.stringMatching(/^EExecutedto 0xbb…bbbbbb1 yr/),
  ])
  await screen.getByRole('button', { name: /Received/ }).click()
  const link = screen.getByRole('link', { name: 'View in explorer' })
  await expect.element(link).toHaveAttribute('href', `https://explorer.invalid/1/tx/${fakeHash('w', 1)}`)
})

test('activity shows the value of a transfer on its day, if it is known', async () => {
  const worth = [createHistoryTransfer({ value: 3_703.68, price: 3_000 })]
  const tiny = [createHistoryTransfer({ value: 0.001 })]
  const lure = { name: 'Claim', symbol: 'C', icon: null, flags: { is_spam: true } }
  const own = [createHistoryTransfer(), createHistoryTransfer({ fungible_info: lure, value: 1_000_000 })]
  const history = [
    [
      createHistoryItem('1', {}, worth),
      createHistoryItem('2', {}, tiny),
      createHistoryItem('3'),
      createHistoryItem('4', { operationType: 'send' }, own),
    ],
  ]
  const { screen } = await renderView({ server: fakeServer({ history }) })
  await getTab(screen, 'Activity').click()
  await expect
    .poll(() => listTexts('.holding .amount .sub'))
    .toEqual(['$3,703.681 min', '<$0.011 min', '1 min', '1 min'])
  await screen.getByRole('button', { name: /\$3,703\.68/ }).click()
  await expect.element(screen.getByText('Value at the time')).toBeVisible()
  await expect.element(screen.getByText('$3,703.68')).toBeVisible()
})

test('the next page of the history loads near its end, even after a page of spam [R4.4.6]', async () => {
  const lure = { nft_info: { name: 'x', content: null, flags: { is_spam: true } } }
  const many = Array.from({ length: 20 }, (_, index) => createHistoryItem(String(index + 1)))
  const server = fakeServer({
    history: [
      many,
      [createHistoryItem('30', {}, [createHistoryTransfer(lure)])],
      [createHistoryItem('31', { operationType: 'mint' })],
    ],
  })
  const { screen } = await renderView({ server })
  await getTab(screen, 'Activity').click()
  await expect.poll(() => listTexts('.holding').length).toBeGreaterThan(19)
  const requested = (): readonly (string | null)[] =>
    server.requests
      .filter(({ pathname }) => pathname.endsWith('/history'))
      .map(({ searchParams }) => searchParams.get('cursor'))
  expect(requested()).toEqual([null])
  modalRoot().querySelector('.account')?.scrollTo(0, 100_000)
  await expect.element(screen.getByText('Minted')).toBeInTheDocument()
  expect(requested()).toEqual([null, '1', '2'])
})

test('a failed history is empty, shows the failure, and can be retried [R4.4.6] [R8.2.2]', async () => {
  const many = Array.from({ length: 20 }, (_, index) => createHistoryItem(String(index + 1)))
  const server = fakeServer({ history: [many, [createHistoryItem('31', { operationType: 'mint' })]] })
  const { screen } = await renderView({ server })
  await getTab(screen, 'Activity').click()
  await expect.poll(() => listTexts('.holding').length).toBe(20)
  server.down = true
  modalRoot().querySelector('.account')?.scrollTo(0, 100_000)
  await expect
    .poll(() => listTexts('.empty[role=alert]'))
    .toEqual([expect.stringMatching(/^Failed to fetch transactions/)])
  expect(listTexts('.holding')).toEqual([])
  server.down = false
  server.requests.splice(0)
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => listTexts('.holding').length).toBe(20)
  expect(server.requests.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null])
})

function BalanceOutput(): ReactElement {
  const { status, data, hasMore, more } = useHistory()
  return <button onClick={more}>{`${status}, ${data.length}, ${hasMore}`}</button>
}

test('useHistory has no entries and no next page after a failure [R4.4.6]', async () => {
  const server = fakeServer({ history: [[createHistoryItem('1')], [createHistoryItem('2')], [createHistoryItem('3')]] })
  const { url, projectId } = server
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()], server: url, projectId })
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey, { children: <BalanceOutput /> })
  await screen.getByRole('button', { name: 'success, 1, true' }).click()
  await expect.element(screen.getByRole('button')).toHaveTextContent('success, 2, true')
  server.down = true
  await screen.getByRole('button').click()
  await expect.element(screen.getByRole('button')).toHaveTextContent('error, 0, false')
})

test('an empty activity list says what appears there', async () => {
  const { screen } = await renderView()
  await getTab(screen, 'Activity').click()
  await expect.element(screen.getByText(/No activity yet/)).toBeVisible()
})

test('pending transactions come first with a count, and their results follow automatically [R4.4.7]', async () => {
  const server = fakeServer({ balances: [native], history: [[createHistoryItem('7')]] })
  const { screen, latchkey, clock } = await renderView({ server })
  await getTab(screen, 'Activity').click()
  await expect.poll(() => listTexts('.holding').length).toBe(1)
  const account = latchkey.wallet.getState().namespaces.eip155
  if (account?.status !== 'connected') throw new Error('No wallet is connected.')
  const { account: from } = account
  const sent = { hash: fakeHash('w', 8) }
  const what = { kind: 'send', amount: '1.5', symbol: 'COIN', to: `0x${'c'.repeat(40)}` } as const
  const leave = new AbortController()
  const outcome = followTransaction(latchkey, { sent, chainId: 'eip155:1', from, what }, { signal: leave.signal })
  await expect
    .element(screen.getByRole('region', { name: '1 pending' }))
    .toHaveTextContent(/Sending.*to 0xcc…cccccc.*1\.500 COIN/)
  server.history = [[createHistoryItem('8', { operationType: 'send' }), createHistoryItem('7')]]
  server.requests.splice(0)
  await expect
    .poll(() => {
      clock.advance(1_000)
      return listTexts('.group h2')
    })
    .toEqual(['July'])
  expect(listTexts('.holding')).toHaveLength(2)
  expect(server.requests.length).toBeLessThan(20)
  leave.abort()
  expect(await outcome).toMatchObject({ status: 'unknown' })
})

test('a balance is refreshed when a transaction of the account is final', async () => {
  const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
  const adapter = fakeAdapter({ balances: { [address]: 5n * 10n ** 18n } })
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey, { children: <ConnectButton showBalance /> })
  await expect.element(screen.getByText('5.000')).toBeVisible()
  const hash = await sendTransaction(latchkey, { to: `0x${'c'.repeat(40)}`, value: 10n ** 18n })
  const { status } = await followTransaction(latchkey, {
    sent: { hash },
    chainId: 'eip155:1',
    from: `eip155:1:${address}`,
    what: { kind: 'send' },
  })
  expect(status).toBe('mined')
  await expect.element(screen.getByText('4.000')).toBeVisible()
})

test('no request is sent without a pending transaction', async () => {
  const server = fakeServer({ balances: [native], history: [[createHistoryItem('7')]] })
  const { screen, clock } = await renderView({ server })
  await getTab(screen, 'Activity').click()
  await expect.poll(() => listTexts('.holding').length).toBe(1)
  server.requests.splice(0)
  for (let second = 0; second < 600; second += 1) clock.advance(1_000)
  expect(server.requests).toEqual([])
})

test('activity has its own view', async () => {
  const { latchkey, screen } = await renderView({ server: fakeServer({ history: [[createHistoryItem('1')]] }) })
  openModal(latchkey, { entry: { view: 'Transactions', params: {} } })
  await expect.element(screen.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible()
  await expect.element(screen.getByText('Received')).toBeVisible()
})

test('the assets fit 320 pixels and are translated to German', async () => {
  await page.viewport(320, 640)
  const { screen } = await renderView({
    server: fakeServer({ history: [[createHistoryItem('1')]], nfts: [createNft('1')] }),
    locale: 'de',
  })
  await getTab(screen, 'Aktivität').click()
  await expect.element(screen.getByText('Empfangen', { exact: true }).last()).toBeVisible()
  await expect.element(screen.getByText('1 Min.')).toBeVisible()
  const wide = [...modalRoot().querySelectorAll('.card *')].filter((each) => each.getBoundingClientRect().right > 320.5)
  expect(wide.map(({ className }) => className)).toEqual([])
  await page.viewport(1024, 768)
})

test.each(Object.entries(holdingsMessages.translations))('%s has all texts', async (_, load) => {
  expect(gapsOf(en, (await load?.())?.translation)).toEqual([])
})

test('ageOf uses the largest unit that fits [R9.5.4]', () => {
  const second = 1_000
  const day = 86_400 * second
  const ages = [-5, 0, 59, 60, 3_599, 3_600, 86_399].map((seconds) => ageOf(now - seconds * second, now))
  expect(ages.map(({ count, unit }) => `${count} ${unit}`)).toEqual([
    '0 sec',
    '0 sec',
    '59 sec',
    '1 min',
    '59 min',
    '1 hr',
    '23 hr',
  ])
  const long = [1, 29, 30, 364, 365, 800].map((days) => ageOf(now - days * day, now))
  expect(long.map(({ count, unit }) => `${count} ${unit}`)).toEqual(['1 d', '29 d', '1 mo', '12 mo', '1 yr', '2 yr'])
})

test('monthsOf uses the current language and names past years', () => {
  const titles = monthsOf(
    [createHistoryItem('1'), createHistoryItem('2', { minedAt: '2025-07-15T12:00:00Z' })],
    now,
    'de',
  ).map(({ title }) => title)
  expect(titles).toEqual(['Juli', 'Juli 2025'])
})
