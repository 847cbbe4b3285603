import type { Reachability } from '@latchkey/core'
import {
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  type FakeConnector,
  type FakeConnectorOptions,
} from '@latchkey/core/fakes'
import { getDeepLink, internalsOf } from '@latchkey/core/internal'
import { modalOf } from '@latchkey/modal'
import { LatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import decode from 'jsqr'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'

// Its types describe a CommonJS module, but what a browser gets is the function itself.
const readCode = decode as unknown as typeof decode.default

const createPairingUri = (topic: string): string =>
  `wc:${topic.repeat(64)}@2?relay-protocol=irn&symKey=${'5'.repeat(64)}&expiryTimestamp=1790000000`

function createPhone(options: FakeConnectorOptions = {}): FakeConnector {
  const uris = [createPairingUri('a'), createPairingUri('b')]
  return fakeConnector({
    id: 'walletConnect',
    type: 'walletConnect',
    name: 'WalletConnect',
    neverResponds: true,
    uris,
    ...options,
  })
}

const wallet: WalletListEntry = { id: 'w', name: 'Pocket', image_id: '', chains: [], mobile_link: 'pocket:' }

function createEntry(chosen?: WalletListEntry): {
  view: 'ConnectingWalletConnect'
  params: { wallet?: WalletListEntry }
} {
  return { view: 'ConnectingWalletConnect', params: { wallet: chosen } }
}

/** Reads the code on the screen as a phone's camera would. */
async function scan(): Promise<string | undefined> {
  await waitForAnimations()
  const path = modalRoot().querySelector('.qr path')?.getAttribute('d')
  const size = modalRoot().querySelector<SVGSVGElement>('.qr svg')?.viewBox.baseVal.width ?? 0
  const background = getComputedStyle(modalRoot().querySelector('.qr') ?? document.body).backgroundColor
  if (path === undefined || path === null) return undefined
  const side = (size + 8) * 4
  const context = new OffscreenCanvas(side, side).getContext('2d')
  if (context === null) throw new Error('There is no canvas.')
  context.fillStyle = background
  context.fillRect(0, 0, side, side)
  context.setTransform(4, 0, 0, 4, 16, 16)
  context.clip(new Path2D(path))
  context.fillStyle = '#000'
  context.fillRect(0, 0, size, size)
  return readCode(context.getImageData(0, 0, side, side).data, side, side)?.data
}

beforeEach(() => page.viewport(1024, 768))

test.each(['light', 'dark'] as const)(
  'a phone can scan the code in the %s theme, and the next when it is renewed [R9.1.5]',
  async (theme) => {
    const connector = createPhone()
    const { latchkey } = fakeWorld({ connectors: [connector] })
    const screen = await renderModal(latchkey, createEntry(), { theme })
    await expect.element(screen.getByRole('img', { name: 'QR code to scan with a phone wallet' })).toBeVisible()
    expect(await scan()).toBe(createPairingUri('a'))
    connector.renew()
    await expect.poll(scan).toBe(createPairingUri('b'))
    expect(connector.connectRequests).toHaveLength(1)
  },
)

test('the link can be copied, and a toast confirms it', async () => {
  const { latchkey } = fakeWorld({ connectors: [createPhone()] })
  const copied: string[] = []
  navigator.clipboard.writeText = async (text) => void copied.push(text)
  const screen = await renderModal(latchkey, createEntry(wallet))
  await screen.getByRole('button', { name: 'Copy link' }).click()
  await expect.element(screen.getByText('Link copied')).toBeVisible()
  expect(copied).toEqual([createPairingUri('a')])
})

test('approval on the phone closes the modal', async () => {
  const connector = createPhone()
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderModal(latchkey, createEntry())
  connector.approve()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
})

test('a rejection is shown, and a new link starts again', async () => {
  const connector = createPhone()
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderModal(latchkey, createEntry(wallet))
  connector.reject()
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Request rejected')
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByRole('img', { name: 'QR code to scan with Pocket' })).toBeVisible()
  expect(connector.connectRequests).toHaveLength(2)
})

test('an unreachable relay is shown, and pairing continues when it is back', async () => {
  const listeners = new Set<(reach: Reachability) => void>()
  const error = new LatchkeyError(
    'relay/unreachable',
    { origin: 'wss://relay.invalid' },
    { sentence: 'The relay at wss://relay.invalid cannot be reached.' },
  )
  let reach: Reachability = { state: 'unreachable', error }
  const subscribe = (listener: (reach: Reachability) => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const connector = { ...createPhone({ uris: [createPairingUri('a')] }), reach: { get: () => reach, subscribe } }
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderModal(latchkey, createEntry())
  await expect.element(screen.getByText(/Phone wallets can’t be reached right now/)).toBeVisible()
  reach = { state: 'ready' }
  for (const listener of listeners) listener(reach)
  await expect.element(screen.getByText('Scan with your phone’s wallet')).toBeVisible()
})

test('a pairing that failed without a relay restarts automatically', async () => {
  const listeners = new Set<(reach: Reachability) => void>()
  const error = new LatchkeyError(
    'relay/unreachable',
    { origin: 'wss://relay.invalid' },
    { sentence: 'The relay at wss://relay.invalid cannot be reached.' },
  )
  let reach: Reachability = { state: 'unreachable', error }
  const subscribe = (listener: (reach: Reachability) => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const fake = createPhone()
  const { latchkey } = fakeWorld({ connectors: [{ ...fake, reach: { get: () => reach, subscribe } }] })
  const screen = await renderModal(latchkey, createEntry())
  fake.reject(error)
  await expect.element(screen.getByText(/We keep trying/)).toBeVisible()
  reach = { state: 'ready' }
  for (const listener of listeners) listener(reach)
  await expect.element(screen.getByRole('img', { name: /QR code/ })).toBeVisible()
  expect(fake.connectRequests).toHaveLength(2)
})

test('a wallet on several platforms has a tab for each, and the arrow keys move between them', async () => {
  const connectors = [createPhone(), fakeConnector({ id: 'org.pocket', rdns: 'org.pocket', name: 'Pocket' })]
  const { latchkey } = fakeWorld({ connectors })
  const everywhere = {
    ...wallet,
    rdns: 'org.pocket',
    webapp_link: 'https://pocket.invalid',
    desktop_link: 'pocket-desk://',
  }
  const screen = await renderModal(latchkey, createEntry(everywhere))
  const tabs = screen.getByRole('tab').elements()
  expect(tabs.map((tab) => tab.textContent)).toEqual(['Mobile', 'Browser', 'Webapp', 'Desktop'])
  await screen.getByRole('tab', { name: 'Mobile' }).click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(screen.getByRole('button', { name: 'Connect Pocket' })).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  const link = screen.getByRole('link', { name: 'Open Pocket' })
  await expect
    .element(link)
    .toHaveAttribute('href', `https://pocket.invalid/wc?uri=${encodeURIComponent(createPairingUri('a'))}`)
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  await userEvent.keyboard('{ArrowRight}')
  await expect
    .element(link)
    .toHaveAttribute('href', `pocket-desk://wc?uri=${encodeURIComponent(createPairingUri('a'))}`)
})

test('on a phone the link to the wallet exists before the tap', async () => {
  const { latchkey } = fakeWorld({ connectors: [createPhone()], isMobile: () => true })
  const screen = await renderModal(latchkey, createEntry(wallet))
  const link = screen.getByRole('link', { name: 'Open Pocket' })
  await expect.element(link).toHaveAttribute('href', `pocket://wc?uri=${encodeURIComponent(createPairingUri('a'))}`)
  expect(screen.getByRole('img', { name: /QR code/ }).query()).toBeNull()
})

/** Records the links that taps would open, as they are during the tap, without opening them. */
function recordFollowedLinks(): string[] {
  const opened: string[] = []
  const follow = (event: Event): void => {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
    if (link === undefined || event.defaultPrevented) return
    opened.push(link.href)
    event.preventDefault()
  }
  // After the modal's own handlers, which listen here too; nothing of the modal's presses goes beyond.
  const root = modalRoot()
  root.addEventListener('click', follow)
  onTestFinished(() => root.removeEventListener('click', follow))
  return opened
}

/** The user goes to another app and comes back. */
function leaveAndReturn(): void {
  for (const state of ['hidden', 'visible']) {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  Reflect.deleteProperty(document, 'visibilityState')
}

test('a tap opens the universal link synchronously, and the scheme after a failed attempt', async () => {
  const { latchkey } = fakeWorld({ connectors: [createPhone()], isMobile: () => true })
  const screen = await renderModal(latchkey, createEntry({ ...wallet, link_mode: 'https://go.pocket.invalid' }))
  const opens = recordFollowedLinks()
  const link = screen.getByRole('link', { name: 'Open Pocket' })
  const query = `wc?uri=${encodeURIComponent(createPairingUri('a'))}`
  await expect.element(link).toHaveAttribute('href', `https://go.pocket.invalid/${query}`)
  await link.click()
  await expect.element(screen.getByText('Waiting for your approval')).toBeVisible()
  expect(getDeepLink(internalsOf(latchkey).memory)).toEqual({ href: 'https://go.pocket.invalid', name: 'Pocket' })
  leaveAndReturn()
  await expect.element(screen.getByText(/Did you approve in Pocket\?/)).toBeVisible()
  await screen.getByRole('link', { name: 'Open Pocket again' }).click()
  await expect.element(screen.getByText('Waiting for your approval')).toBeVisible()
  expect(opens).toEqual([`https://go.pocket.invalid/${query}`, `pocket://${query}`])
  expect(getDeepLink(internalsOf(latchkey).memory)).toEqual({ href: 'pocket:', name: 'Pocket' })
})

test('after eight seconds the wallet can be opened again or downloaded', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [createPhone()], isMobile: () => true })
  const stores = { app_store: 'https://apps.invalid/pocket', play_store: 'https://play.invalid/pocket' }
  const screen = await renderModal(latchkey, createEntry({ ...wallet, ...stores }))
  recordFollowedLinks()
  await expect.element(screen.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await screen.getByRole('link', { name: 'Open Pocket' }).click()
  await expect.element(screen.getByText('Waiting for your approval')).toBeVisible()
  clock.advance(8_000)
  await expect.element(screen.getByText(/No request\? Open Pocket again/)).toBeVisible()
  await screen.getByRole('button', { name: 'Get it' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Get Pocket' })).toBeVisible()
})

test('a missing extension is shown as missing, and appears once installed', async () => {
  const adapter = fakeAdapter()
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [createPhone()] })
  const extension = { ...wallet, mobile_link: undefined, rdns: 'org.pocket', homepage: 'https://pocket.invalid' }
  const screen = await renderModal(latchkey, createEntry(extension))
  await expect.element(screen.getByText('Pocket is not installed')).toBeVisible()
  const get = screen.getByRole('link', { name: 'Get Pocket' })
  await expect.element(get).toHaveAttribute('href', 'https://pocket.invalid')
  expect(modalOf(latchkey).pairing.getState().status).toBe('idle')
  adapter.announce(fakeConnector({ id: 'org.pocket', rdns: 'org.pocket', name: 'Pocket' }))
  await expect.element(screen.getByRole('button', { name: 'Connect Pocket' })).toBeVisible()
})

test('a missing extension can be used on a phone', async () => {
  const { latchkey } = fakeWorld({ connectors: [createPhone()] })
  const screen = await renderModal(latchkey, createEntry({ ...wallet, mobile_link: undefined, rdns: 'org.pocket' }))
  await screen.getByRole('button', { name: 'Scan with a phone instead' }).click()
  await expect.element(screen.getByRole('img', { name: 'QR code to scan with Pocket' })).toBeVisible()
})

test('an app without adapters starts with a QR code for any wallet [R2.1.2]', async () => {
  const { latchkey } = fakeWorld({ adapters: [], connectors: [createPhone()] })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByRole('heading', { name: 'WalletConnect' })).toBeVisible()
})
