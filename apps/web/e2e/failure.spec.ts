import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import { connectButton, connectExtension, expect, openModal, test, testExtensionOf } from './support/fixtures.ts'

test.describe('failure handling', () => {
  test('rejected request and failed request show different errors, and a retry succeeds [R4.4] [R8.3.7]', async ({
    page,
    urls,
    extension,
  }) => {
    await page.goto(`${urls.web}/account`)
    extension.rejectNext()
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: /Test Extension/ }).click()
    await expect(dialog.getByText(/rejected/i).first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    // It has an alert of its own until it has closed.
    await expect(dialog).toBeHidden()
    extension.rejectNext()
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByRole('alert')).toContainText('rejected')
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('wallet that disappears during a request causes an error message', async ({ page, urls, extension }) => {
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
    extension.vanishNext()
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  })

  test('unreachable relay shows an error for phone wallets, which then recover, and extensions still connect [R7.3.3]', async ({
    page,
    urls,
    extension,
  }) => {
    void extension
    let down = true
    await page.routeWebSocket(/\/relay/, (socket) => (down ? socket.close() : void socket.connectToServer()))
    await page.goto(`${urls.web}/account`)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: /WalletConnect/ }).click()
    await expect(dialog.getByText(/relay .*cannot be reached|Phone wallets can’t be reached/i)).toBeVisible({
      timeout: 20_000,
    })
    down = false
    await expect(dialog.getByRole('img', { name: /QR code/i })).toBeVisible({ timeout: 35_000 })
    await dialog.getByRole('button', { name: 'Back' }).click()
    down = true
    await dialog.getByRole('button', { name: /Test Extension/ }).click()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
  })

  test(
    'unreachable chain keeps the account connected and shows a balance error',
    { tag: '@variant' },
    async ({ page, urls, extension }) => {
      void extension
      await page.route(
        (url) => url.href.startsWith(urls.evm),
        (route) => route.abort(),
      )
      await page.goto(`${urls.web}/account`)
      await connectExtension(page)
      await expect(page.getByText(/balance could not be read/i)).toBeVisible({ timeout: 60_000 })
    },
  )

  test(
    'unreachable data service shows a token balance error, and extensions still connect [R8.2.1]',
    { tag: '@variant' },
    async ({ page, urls, extension }) => {
      void extension
      await page.route(
        (url) => url.href.startsWith(urls.server),
        (route) => route.abort(),
      )
      await page.goto(`${urls.web}/account`)
      await connectExtension(page)
      await expect(page.getByText(/Token balances could not be read/)).toBeVisible({ timeout: 60_000 })
      const dialog = await openModal(page)
      await expect(dialog.getByText('Token Balance Unavailable').first()).toBeVisible()
    },
  )

  for (const [name, breakStorage] of [
    [
      'denied',
      () =>
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('Denied', 'SecurityError')
          },
        }),
    ],
    [
      'full',
      () => {
        Storage.prototype.setItem = () => {
          throw new DOMException('Full', 'QuotaExceededError')
        }
      },
    ],
  ] as const) {
    test(
      `${name} storage shows that the connection ends when the page is closed [R3.17]`,
      { tag: ['@variant', '@engines'] },
      async ({ page, urls, extension }) => {
        void extension
        await page.addInitScript(breakStorage)
        await page.goto(`${urls.web}/account`)
        await connectExtension(page)
        const dialog = await openModal(page)
        await expect(dialog.getByText(/ends when you close the page/)).toBeVisible()
      },
    )
  }

  test('connecting and disconnecting in one tab updates the other tab', async ({ page, context, urls }) => {
    const options = testExtensionOf(urls)
    const extension = await installSimulatedExtension(page, options)
    void extension
    const other = await context.newPage()
    await installSimulatedExtension(other, { ...options, permitted: true })
    await page.goto(`${urls.web}/account`)
    await other.goto(`${urls.web}/account`)
    await connectExtension(page)
    await expect(connectButton(other)).toContainText('0xf3…b92266')
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(other)).toHaveText('Connect')
  })

  test('malformed wallet announcements are ignored, and a valid wallet connects [R3.7]', async ({
    page,
    urls,
    extension,
  }) => {
    void extension
    await page.addInitScript(() => {
      const announce = (): void => {
        for (const detail of [null, 7, {}, { info: {} }, { info: { name: 'Bad', rdns: 'bad', uuid: 'x' } }]) {
          dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        }
      }
      addEventListener('eip6963:requestProvider', announce)
    })
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
  })
})
