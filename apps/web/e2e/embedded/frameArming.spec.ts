import type { FrameLocator, Locator, Page } from '@playwright/test'
import { verifyMessage, type Hex } from 'viem'
import { expect, type Urls } from '../support/fixtures.ts'
import { responseTo, sendRequest, postMessages, startHost } from '../support/frameHost.ts'
import { logIn, createSdkUrl, waitUntilFrameReady, test } from '../support/frameLogin.ts'

const getFrame = (dapp: Page): FrameLocator => dapp.frameLocator('iframe')
const approve = (dapp: Page): Locator => getFrame(dapp).getByRole('button', { name: 'Approve' })

/** Logs in, requests a signature and returns the account that signs. */
async function requestSignature(dapp: Page, urls: Urls, text = 'Hello'): Promise<Hex> {
  await logIn(dapp, urls)
  const { payload } = await sendRequest(dapp, 'GET_USER', { chainId: 'eip155:31337', preferredAccountType: 'eoa' })
  // An externally owned account: its signature verifies without a network.
  const address = payload?.['address'] as Hex
  await sign(dapp, address, text)
  return address
}

async function sign(dapp: Page, address: Hex, text: string, id = 'sign'): Promise<void> {
  const params = [`0x${Buffer.from(text).toString('hex')}`, address]
  await postMessages(dapp, { type: '@w3m-app/RPC_REQUEST', id, payload: { method: 'personal_sign', params } })
}

/** Waits as long as a person reads, and then clicks. */
async function press(button: Locator): Promise<void> {
  await button.hover()
  await button.click()
}

/** Styles of the frame, or of an element above it. */
const setFrameStyle = (dapp: Page, css: string): Promise<void> =>
  dapp.evaluate((given) => {
    const element = document.querySelector('iframe')
    if (element !== null)
      element.style.cssText = `position: fixed; left: 40px; top: 20px; width: 360px; height: 600px; border: 0; ${given}`
  }, css)

const cover = (dapp: Page, css: string): Promise<void> =>
  dapp.evaluate((given) => {
    document.getElementById('cover')?.remove()
    if (given === '') return
    const element = document.createElement('div')
    element.id = 'cover'
    element.style.cssText = `position: fixed; z-index: 9; ${given}`
    document.body.append(element)
  }, css)

/** Expects that Approve is disabled while a style applies, and enabled afterwards. */
async function expectDisarmed(
  dapp: Page,
  apply: (dapp: Page, css: string) => Promise<void>,
  css: string,
): Promise<void> {
  await apply(dapp, css)
  await expect(approve(dapp), css).toBeDisabled()
  await apply(dapp, '')
  await expect(approve(dapp), `without ${css}`).toBeEnabled()
}

test('approval screen shows the requesting site, and the approved message is signed [I-07]', async ({
  dapp,
  urls,
  host,
}) => {
  const address = await requestSignature(dapp, urls)
  await expect(getFrame(dapp).getByRole('heading', { name: 'Sign a message' })).toBeVisible()
  await expect(getFrame(dapp).locator('.origin')).toHaveText(host.origin)
  await press(approve(dapp))
  const { payload } = await responseTo(dapp, 'sign')
  expect(await verifyMessage({ address, message: 'Hello', signature: payload as unknown as Hex })).toBe(true)
})

test(
  'Approve is disarmed when the frame is covered, faded, shrunk or moved [I-09]',
  { tag: '@extended' },
  async ({ dapp, urls }) => {
    await requestSignature(dapp, urls)
    await setFrameStyle(dapp, '')
    await expect(approve(dapp)).toBeEnabled()
    const looks = [
      'opacity: .99',
      'filter: blur(1px)',
      'transform: scale(.2)',
      'left: -200px',
      'width: 300px',
      'height: 400px',
    ]
    for (const css of looks) await expectDisarmed(dapp, setFrameStyle, css)
    const covers = [
      'left: 60px; top: 60px; width: 50px; height: 50px; background: red',
      'left: 60px; top: 60px; width: 1px; height: 1px; background: red; pointer-events: none',
      'inset: 0; background: red; pointer-events: none; clip-path: path("M0 0H1280V800H0Z M200 560h1v1h-1z")',
    ]
    for (const css of covers) await expectDisarmed(dapp, cover, css)
    await cover(dapp, 'inset: 0; background: red; pointer-events: none')
    await expect(approve(dapp)).toBeDisabled()
    const box = await approve(dapp).boundingBox()
    await dapp.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
    await sendRequest(dapp, 'IS_CONNECTED')
    await expect(approve(dapp)).toBeDisabled()
  },
)

// An emulated pointer never leaves a frame of another process, so each test begins outside the frame.

test('Approve is disarmed immediately when the pointer enters the frame [I-10]', async ({ dapp, urls }) => {
  const [x, y] = await showApprove(dapp, urls)
  await dapp.mouse.move(1_000, 700)
  await expect(approve(dapp)).toBeEnabled()
  const came = await listenForDisarming(dapp)
  await dapp.mouse.move(x, y)
  await expect.poll(came).toBe(true)
})

test(
  'Approve is disarmed when the frame moves under a resting pointer, and rearms later [I-10]',
  { tag: '@variant' },
  async ({ dapp, urls }) => {
    const [x, y] = await showApprove(dapp, urls)
    await setFrameStyle(dapp, 'left: 600px')
    // The browser routes the pointer by the last drawn positions. A screenshot waits until the frame is drawn at its new one.
    await dapp.screenshot()
    await dapp.mouse.move(x, y)
    await expect(approve(dapp)).toBeEnabled()
    const moved = await listenForDisarming(dapp)
    await setFrameStyle(dapp, '')
    // Moves slightly, like a resting hand, until the browser has registered the frame's position.
    await expect
      .poll(async () => {
        await dapp.mouse.move(x, y)
        await dapp.mouse.move(x + 1, y)
        return moved()
      })
      .toBe(true)
    await press(approve(dapp))
    expect(await responseTo(dapp, 'sign')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
  },
)

/** Shows the frame with a pending approval. Returns the position of its button on the page. */
async function showApprove(dapp: Page, urls: Urls): Promise<[x: number, y: number]> {
  await requestSignature(dapp, urls)
  await setFrameStyle(dapp, '')
  await expect(approve(dapp)).toBeEnabled()
  const box = await approve(dapp).boundingBox()
  return [(box?.x ?? 0) + 30, (box?.y ?? 0) + 20]
}

/** Listens inside the frame, because it may rearm before a test can look. Returns true if it was disarmed. */
async function listenForDisarming(dapp: Page): Promise<() => Promise<boolean>> {
  const received = await dapp
    .frameLocator('iframe')
    .locator('#stage')
    .evaluateHandle((stage) => {
      const news = { isDisarmed: false }
      const look = (): void => void (news.isDisarmed ||= stage.getAttribute('data-armed') === 'false')
      new MutationObserver(look).observe(stage, { attributes: true, attributeFilter: ['data-armed'] })
      return news
    })
  return () => received.evaluate(({ isDisarmed }) => isDisarmed)
}

test('sign-in message for another site shows a warning and focuses Reject [I-16]', async ({ dapp, urls }) => {
  const text = 'bank.example wants you to sign in with your Ethereum account:\n0x0'
  await requestSignature(dapp, urls, text)
  await expect(getFrame(dapp).getByText('A sign-in for another app')).toBeVisible()
  await expect(getFrame(dapp).getByRole('button', { name: 'Reject' })).toBeFocused()
  await press(getFrame(dapp).getByRole('button', { name: 'Reject' }))
  expect((await responseTo(dapp, 'sign')).payload).toMatchObject({ message: 'User rejected the request' })
})

test.describe('browser without visibility tracking', () => {
  test.beforeEach(async ({ context }) => {
    await context.addInitScript(() => {
      Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible')
    })
  })

  test('approval window can be approved, closed or blocked by the browser [I-11]', async ({ dapp, urls }) => {
    const address = await requestSignature(dapp, urls)
    expect(await approve(dapp).count()).toBe(0)
    const popup = dapp.waitForEvent('popup')
    await press(getFrame(dapp).getByRole('button', { name: 'Open the window' }))
    const shown = await popup
    await expect(shown.getByText('Hello')).toBeVisible()
    await press(shown.getByRole('button', { name: 'Approve' }))
    const { payload } = await responseTo(dapp, 'sign')
    expect(await verifyMessage({ address, message: 'Hello', signature: payload as unknown as Hex })).toBe(true)

    await sign(dapp, address, 'Again', 'closed')
    const second = dapp.waitForEvent('popup')
    await press(getFrame(dapp).getByRole('button', { name: 'Open the window' }))
    await (await second).close()
    expect((await responseTo(dapp, 'closed')).payload).toMatchObject({ message: 'User rejected the request' })

    await dapp.frames()[1]?.evaluate(() => Object.assign(globalThis, { open: () => null }))
    await sign(dapp, address, 'Blocked', 'blocked')
    await press(getFrame(dapp).getByRole('button', { name: 'Open the window' }))
    await expect(getFrame(dapp).getByText(/blocked the window/)).toBeVisible()
    await expect(getFrame(dapp).getByRole('button', { name: 'Open the window' })).toBeEnabled()
    await press(getFrame(dapp).getByRole('button', { name: 'Reject' }))
    expect((await responseTo(dapp, 'blocked')).payload).toMatchObject({ message: 'User rejected the request' })
  })

  test('page with Cross-Origin-Opener-Policy same-origin shows that the window was blocked and offers Reject [I-11]', async ({
    page,
    urls,
  }) => {
    const host = await startHost({ 'cross-origin-opener-policy': 'same-origin' })
    await page.goto(`${host.origin}/?frame=${encodeURIComponent(createSdkUrl(urls))}`)
    await waitUntilFrameReady(page)
    await requestSignature(page, urls)
    await press(getFrame(page).getByRole('button', { name: 'Open the window' }))
    await expect(getFrame(page).getByText(/blocked the window/)).toBeVisible()
    await press(getFrame(page).getByRole('button', { name: 'Reject' }))
    expect((await responseTo(page, 'sign')).payload).toMatchObject({ message: 'User rejected the request' })
    await host.close()
  })
})
