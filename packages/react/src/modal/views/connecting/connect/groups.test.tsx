import { connect, type ConnectMethod, type Features, type LatchkeyOptions } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeLogin, fakeStorage, fakeWorld, type FakeConnector } from '@latchkey/core/fakes'
import { openModal } from '@latchkey/modal'
import { walletError, type WalletListEntry } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { renderApp, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer, walletList } from '../../../../testing/fakeServer.ts'

const phone = fakeConnector({
  id: 'walletConnect',
  name: 'WalletConnect',
  type: 'walletConnect',
  neverResponds: true,
  uris: ['wc:1@2'],
})
const extension = fakeConnector({ id: 'org.ext', rdns: 'org.ext', name: 'Extension', neverResponds: true })
const login = fakeConnector({
  id: 'embedded',
  name: 'Email & Socials',
  type: 'embedded',
  login: fakeLogin({ socials: ['google', 'github'] }),
})
const terms = { termsUrl: 'https://app.invalid/terms', privacyUrl: 'https://app.invalid/privacy' }

/** The rows, fields and separators of the view, from top to bottom. */
function listMethods(screen: RenderResult): string[] {
  const root = screen.getByRole('dialog').element()
  const selector = '.row .name, .or, .choices > .button, .email input, .social'
  return [...root.querySelectorAll(`.pane:not([data-leaving]) :is(${selector})`)].map(
    (element) => element.getAttribute('aria-label') ?? element.textContent ?? '',
  )
}

function createFeatures(some: Partial<Features>): Pick<LatchkeyOptions, 'features'> {
  return { features: some }
}

const [email, google] = ['Email address', 'Continue with Google']

const orders: ReadonlyArray<[string, readonly FakeConnector[], readonly ConnectMethod[] | undefined, string[]]> = [
  ['wallets first with a wallet in the page', [login, extension], undefined, ['Extension', 'or', email, google]],
  ['logins first without one', [login, phone], undefined, [email, google, 'or', 'WalletConnect']],
  ['the app’s own order', [login, extension], ['social', 'wallet'], [google, 'or', 'Extension']],
  ['wallets alone where there is no login', [extension], undefined, ['Extension']],
]

test.each(orders)(
  'the connect options have this order: %s [R9.3.3]',
  async (_name, connectors, connectMethodOrder, expected) => {
    const screen = await renderModal(fakeWorld({ connectors, connectMethodOrder }).latchkey)
    await expect.poll(() => listMethods(screen)).toEqual(expected)
  },
)

test('disabled logins are not shown', async () => {
  const { latchkey } = fakeWorld({
    connectors: [login, extension],
    ...createFeatures({ email: false, socials: false }),
  })
  const screen = await renderModal(latchkey)
  await expect.poll(() => listMethods(screen)).toEqual(['Extension'])
})

test('the app can put the wallets behind a button next to the logins', async () => {
  const collapsed = createFeatures({ collapseWallets: true })
  const screen = await renderModal(fakeWorld({ connectors: [login, extension], ...collapsed }).latchkey)
  await expect.poll(() => listMethods(screen)).toEqual(['Continue with a wallet', 'or', email, google])
  await screen.getByRole('button', { name: 'Continue with a wallet' }).click()
  await expect.poll(() => listMethods(screen)).toEqual(['Extension'])
  await screen.unmount()
  const alone = await renderModal(fakeWorld({ connectors: [extension], ...collapsed }).latchkey)
  await expect.poll(() => listMethods(alone)).toEqual(['Extension'])
})

test('custom wallets appear between featured and external ones, and open by their own links', async () => {
  const custom: WalletListEntry = {
    id: 'own',
    name: 'House Wallet',
    image_id: '',
    image_url: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
    chains: [],
    webapp_link: 'https://house.invalid',
  }
  const installed = { id: 'twin', name: 'Twin', rdns: 'org.ext', image_id: '', chains: [] }
  const external = fakeConnector({ id: 'safe', name: 'Safe', type: 'external' })
  const { latchkey } = fakeWorld({ connectors: [phone, external, extension], customWallets: [installed, custom] })
  const screen = await renderModal(latchkey)
  await expect.poll(() => listMethods(screen)).toEqual(['WalletConnect', 'Extension', 'House Wallet', 'Safe'])
  expect(modalRoot().querySelector('.row img')?.getAttribute('src')).toBe(custom.image_url)
  await screen.getByRole('button', { name: 'House Wallet' }).click()
  const link = screen.getByRole('link', { name: 'Open House Wallet' })
  await expect.element(link).toHaveAttribute('href', 'https://house.invalid/wc?uri=wc%3A1%402')
})

test('wallets are hidden by reverse-DNS name or by name in any case, and the list is kept to those that are wanted [R5.5.5]', async () => {
  const server = fakeServer({
    wallets: [{ id: 'r', name: 'R', rdns: 'org.r', image_id: '', chains: [] }, ...walletList(4)],
  })
  const others = [fakeConnector({ id: 'a', rdns: 'org.a', name: 'A' }), fakeConnector({ id: 'b', name: 'Bee' })]
  const { latchkey } = fakeWorld({
    connectors: [phone, extension, ...others],
    excludeWallets: ['org.a', 'bEE', 'WALLET 2'],
    includeWallets: ['wallet 1', 'org.r', 'wallet-2'],
    server: server.url,
    projectId: server.projectId,
  })
  const screen = await renderModal(latchkey)
  await expect.poll(() => listMethods(screen)).toEqual(['WalletConnect', 'Extension', 'R', 'Wallet 1', 'All wallets'])
})

test.each([
  [true, false, true],
  [true, true, true],
  [false, false, false],
  ['mobile', false, false],
  ['mobile', true, true],
] as const)(
  'with allWallets %s, on a phone %s, the way to all wallets is there: %s',
  async (allWallets, mobile, there) => {
    const server = fakeServer({ wallets: walletList(3) })
    const { latchkey } = fakeWorld({
      connectors: [phone],
      isMobile: () => mobile,
      ...createFeatures({ allWallets }),
      server: server.url,
      projectId: server.projectId,
    })
    const screen = await renderModal(latchkey)
    await expect.poll(() => listMethods(screen)).toContain('Wallet 3')
    expect(listMethods(screen).includes('All wallets')).toBe(there)
  },
)

test('nothing can be selected before the box is ticked, by pointer or keyboard', async () => {
  const { latchkey } = fakeWorld({ connectors: [extension], legal: terms, ...createFeatures({ legalCheckbox: true }) })
  const screen = await renderModal(latchkey)
  const box = screen.getByRole('checkbox', { name: 'I accept the Terms of Service and the Privacy Policy.' })
  await expect.element(box).not.toBeChecked()
  await expect.element(box).toHaveAccessibleDescription('Tick the box above first.')
  const wallet = screen.getByRole('button', { name: /Extension/ })
  expect(wallet.element().closest('[inert]')).not.toBeNull()
  const focused = (): string | undefined => modalRoot().activeElement?.textContent ?? undefined
  const passed = new Set<string | undefined>()
  for (let step = 0; step < 8; step += 1) {
    await userEvent.keyboard('{Tab}')
    passed.add(focused())
  }
  expect([...passed].some((text) => text?.includes('Extension'))).toBe(false)
  await box.click()
  await wallet.click()
  await expect.element(screen.getByText('Approve in Extension')).toBeVisible()
  await screen.getByRole('button', { name: 'Back' }).click()
  await expect.element(box).toBeChecked()
})

test.each([
  [terms, 'By connecting you accept the Terms of Service and the Privacy Policy.', 2],
  [{ termsUrl: terms.termsUrl }, 'By connecting you accept the Terms of Service.', 1],
  [{ privacyUrl: terms.privacyUrl }, 'By connecting you accept the Privacy Policy.', 1],
] as const)('what connecting means is said with links to what there is', async (legal, sentence, links) => {
  const screen = await renderModal(fakeWorld({ connectors: [extension], legal }).latchkey)
  await expect.element(screen.getByText(sentence)).toBeVisible()
  const found = screen.getByRole('link').elements()
  expect(found.map((link) => link.getAttribute('href'))).toEqual(Object.values(legal))
  expect(found).toHaveLength(links)
  expect(screen.getByRole('checkbox').query()).toBeNull()
})

test('users who seem to have no wallet get help', async () => {
  const screen = await renderModal(fakeWorld({ connectors: [phone] }).latchkey)
  await screen.getByRole('button', { name: 'Get one' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Get a wallet' })).toBeVisible()
  await screen.unmount()
  const other = await renderModal(fakeWorld({ connectors: [phone, extension] }).latchkey)
  await expect.poll(() => listMethods(other)).toEqual(['WalletConnect', 'Extension'])
  expect(other.getByRole('button', { name: 'Get one' }).query()).toBeNull()
})

/** One wallet in two namespaces, which announces itself to both. */
function createWalletOfTwoNamespaces(): [FakeConnector, FakeConnector] {
  return [
    fakeConnector({ id: 'org.two', rdns: 'org.two', name: 'Two', neverResponds: true }),
    fakeConnector({ id: 'two-sol', name: 'Two', namespaces: ['solana'], neverResponds: true }),
  ]
}

test('a wallet of several namespaces has one row and asks for the namespace', async () => {
  const [first, second] = createWalletOfTwoNamespaces()
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  const { latchkey } = fakeWorld({ adapters, connectors: [first, second] })
  const screen = await renderModal(latchkey)
  await expect.poll(() => listMethods(screen)).toEqual(['Two'])
  await screen.getByRole('button', { name: /Two/ }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Select network' })).toBeVisible()
  await expect.poll(() => listMethods(screen)).toEqual([...adapters.map(({ name }) => name), 'All networks'])
  await screen.getByRole('button', { name: adapters[1]?.name }).click()
  await expect.element(screen.getByText('Approve in Two')).toBeVisible()
  expect([first.connectRequests.length, second.connectRequests.length]).toEqual([0, 1])
  expect(new Set(second.connectRequests[0]?.networks.map(({ chainNamespace }) => chainNamespace))).toEqual(
    new Set(['solana']),
  )
})

test.each(['the visitor', 'the app'] as const)('the wallet connects all namespaces with %s', async (who) => {
  const [first, second] = createWalletOfTwoNamespaces()
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  const { latchkey } = fakeWorld({ adapters, connectors: [first, second], connectAllNamespaces: who === 'the app' })
  const screen = await renderModal(latchkey)
  await screen.getByRole('button', { name: /Two/ }).click()
  if (who === 'the visitor') await screen.getByRole('button', { name: /All networks/ }).click()
  await expect.poll(() => first.connectRequests).toHaveLength(1)
  first.approve()
  await expect.poll(() => second.connectRequests).toHaveLength(1)
  second.approve()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  const { eip155, solana } = latchkey.wallet.getState().namespaces
  expect([eip155?.status, solana?.status]).toEqual(['connected', 'connected'])
})

test('the wallet that the page is opened in comes first', async () => {
  const safe = { ...fakeConnector({ id: 'safe', name: 'Safe', type: 'external' }), isHost: true }
  const screen = await renderModal(fakeWorld({ connectors: [extension, safe] }).latchkey)
  await expect.poll(() => listMethods(screen)).toEqual(['Safe', 'Extension'])
})

test('a locked wallet is named as the reason that nothing is connected', async () => {
  const storage = fakeStorage()
  await connect(fakeWorld({ storage, connectors: [fakeConnector()] }).latchkey, 'fake')
  const locked = fakeConnector({ restores: walletError('wallet/locked', { wallet: 'Fake Wallet' }) })
  const screen = await renderModal(fakeWorld({ storage, connectors: [locked] }).latchkey)
  await expect.element(screen.getByText('Your wallet is locked. Unlock it to reconnect.').first()).toBeVisible()
})

test('a modal that was opened for a namespace does not ask for it again [R2.1.5]', async () => {
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  const connectors = [
    fakeConnector({ id: 'evm', name: 'Fox', neverResponds: true }),
    fakeConnector({ id: 'sol', name: 'Fox', namespaces: ['solana'], neverResponds: true }),
  ]
  const { latchkey } = fakeWorld({ adapters, connectors })
  const screen = await renderApp(latchkey)
  openModal(latchkey, { namespace: 'solana' })
  await screen.getByRole('button', { name: /Fox/ }).click()
  await expect.element(screen.getByText('Approve in Fox')).toBeVisible()
  expect(connectors.map(({ connectRequests }) => connectRequests.length)).toEqual([0, 1])
})
