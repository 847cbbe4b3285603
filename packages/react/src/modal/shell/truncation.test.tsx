import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeExchange, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { approveSwap, chooseSwapToken, setAmount, setReceiver, setSwapAmount, swapState } from '@latchkey/core/money'
import { pushView, reviewSendFlow, reviewSwapFlow, type ViewEntry } from '@latchkey/modal'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { AccountButton } from '../../button/AccountButton.tsx'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fakeTransfers } from '../../testing/fakeTransfers.ts'
import { waitForAnimations, modalRoot, renderModal } from '../../testing/renderModal.tsx'
import { serveExchange } from '../../testing/serveExchange.ts'

const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'
const serverUrl = 'https://server.invalid'
const locales = ['en', 'de', 'ru', 'ar'] as const

afterEach(() => page.viewport(414, 896))

/** A connected world whose exchange responds, and whose approvals stay pending. */
async function createSwapWorld(): Promise<FakeWorld> {
  const exchange = fakeExchange('eip155:1', address)
  serveExchange(exchange, serverUrl)
  return connectTestWallet(serverUrl)
}

async function connectTestWallet(server: string, projectId = '0'.repeat(32), sends = false): Promise<FakeWorld> {
  const adapter = fakeAdapter({ balances: { [address]: 5n * 10n ** 18n }, minesManually: true })
  if (sends) fakeTransfers(adapter)
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], server, projectId })
  await connect(world.latchkey, 'fake')
  return world
}

/** Returns the texts that are cut at the end or below. Only addresses and names may be cut. Marks show a single letter. */
async function listTruncatedTexts(root: ParentNode = modalRoot()): Promise<readonly string[]> {
  await expect.poll(() => modalRoot().querySelectorAll('.pane').length).toBeLessThanOrEqual(1)
  await waitForAnimations()
  return [...root.querySelectorAll<HTMLElement>('*')]
    .filter(
      (element) =>
        element.checkVisibility() &&
        !element.matches('.hidden, .hidden *, .stage, .pane, .account, .mark, input, .person, svg *'),
    )
    .filter((element) => getComputedStyle(element).overflowX !== 'visible')
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
      return clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 4)
    })
    .map(({ className, textContent }) => `${className}: ${textContent}`)
}

const entries: readonly ViewEntry[] = [
  { view: 'Account', params: {} },
  { view: 'Networks', params: {} },
  { view: 'ProfileWallets', params: {} },
  { view: 'AccountSettings', params: {} },
  { view: 'WalletReceive', params: {} },
  { view: 'WalletSend', params: {} },
]

describe.each(locales)('in %s', (locale) => {
  test('no text of the first view is cut', async () => {
    await page.viewport(390, 844)
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await renderModal(latchkey, undefined, { locale })
    await expect.poll(() => listTruncatedTexts()).toEqual([])
    pushView(latchkey, { view: 'WhatIsAWallet', params: {} })
    await expect.poll(() => listTruncatedTexts()).toEqual([])
  })

  test('no text of the views of an account is cut', { tags: 'browsers' }, async () => {
    await page.viewport(390, 844)
    const { url, projectId } = fakeServer()
    const { latchkey } = await connectTestWallet(url, projectId, true)
    await renderModal(latchkey, entries[0], { locale })
    for (const entry of entries) {
      pushView(latchkey, entry)
      await expect.poll(async () => [entry.view, await listTruncatedTexts()]).toEqual([entry.view, []])
    }
    setAmount(latchkey, '1.5')
    setReceiver(latchkey, bob)
    await expect.poll(() => reviewSendFlow(latchkey)).toBe('ready')
    await expect.poll(() => listTruncatedTexts()).toEqual([])
  })

  test('no text of a swap is cut, while its approval is pending too', { tags: 'browsers' }, async () => {
    await page.viewport(390, 844)
    const { latchkey, clock } = await createSwapWorld()
    await renderModal(latchkey, { view: 'Swap', params: {} }, { locale })
    const state = () => swapState(latchkey).getState()
    await expect.poll(() => state().tokens.length).toBeGreaterThan(1)
    await expect.poll(() => listTruncatedTexts()).toEqual([])
    const [coin, dollar] = ['COIN', 'LUSD'].map((symbol) => state().tokens.find((token) => token.symbol === symbol))
    chooseSwapToken(latchkey, 'from', dollar?.id ?? '')
    chooseSwapToken(latchkey, 'to', coin?.id ?? '')
    setSwapAmount(latchkey, '100')
    clock.advance(500)
    await expect.poll(() => state().quote.status).toBe('ready')
    await expect.poll(() => listTruncatedTexts()).toEqual([])
    await reviewSwapFlow(latchkey)
    await expect.poll(() => listTruncatedTexts()).toEqual([])
    void approveSwap(latchkey)
    await expect.poll(() => state().order.status).toBe('approving')
    await expect.poll(() => listTruncatedTexts()).toEqual([])
  })

  test('no text of the account button is cut', async () => {
    const { latchkey } = await connectTestWallet(serverUrl)
    const children = <AccountButton showBalance />
    const screen = await renderModal(latchkey, undefined, { locale, children })
    await expect.element(screen.getByText(/5[.,٫]000/).first()).toBeInTheDocument()
    await expect.poll(() => listTruncatedTexts(screen.container)).toEqual([])
  })

  test('the address fits into the account button', async () => {
    const { latchkey } = await connectTestWallet(serverUrl)
    const screen = await renderModal(latchkey, undefined, { locale })
    const face = screen.container.querySelector('[data-account]>span')
    const address = [...(face?.childNodes ?? [])].find(({ nodeType }) => nodeType === Node.TEXT_NODE)
    const range = document.createRange()
    range.selectNode(address ?? document)
    const [inner, outer] = [range.getBoundingClientRect(), face?.getBoundingClientRect()]
    expect(inner.width).toBeGreaterThan(50)
    expect(inner.right).toBeLessThanOrEqual(outer?.right ?? 0)
    expect(inner.left).toBeGreaterThanOrEqual(outer?.left ?? 1e6)
  })
})

test.each([390, 1_280])('an amount of fourteen digits fits into its field on a screen of %i px', async (width) => {
  await page.viewport(width, 800)
  const { latchkey } = await connectTestWallet(serverUrl, undefined, true)
  await renderModal(latchkey, { view: 'WalletSend', params: {} })
  setAmount(latchkey, '1.999990502971')
  const field = (): HTMLInputElement | null => modalRoot().querySelector('.amount-input')
  await expect.poll(() => field()?.value).toBe('1.999990502971')
  await waitForAnimations()
  expect(field()?.scrollWidth).toBeLessThanOrEqual(field()?.clientWidth ?? 0)
})
