import { axeViolations } from './support/axeViolations.ts'
import { connectButton, connectExtension, expect, openModal, test } from './support/fixtures.ts'
import { moreViews, views } from './support/views.ts'

/** Runs in the page. Lists what is wider than its place: the page, and the panes of the modal. */
function measureOverflow(): readonly string[] {
  const panes =
    document.querySelector('latchkey-modal')?.shadowRoot?.querySelectorAll('.pane:not([data-leaving])') ?? []
  const wide = [document.documentElement, ...panes].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  return wide.map(({ tagName, className }) => `${tagName} ${className}`)
}

test.describe('the modal', () => {
  for (const path of ['/', '/account', '/playground']) {
    test(`sends no third-party requests on ${path} before the user acts`, async ({ page, urls }) => {
      const elsewhere: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(urls.web)) elsewhere.push(request.url())
      })
      page.on('websocket', (socket) => elsewhere.push(socket.url()))
      await page.goto(`${urls.web}${path}`)
      await expect(connectButton(page)).toHaveText('Connect')
      await page.waitForLoadState('networkidle')
      expect(elsewhere).toEqual([])
    })
  }

  for (const theme of ['light', 'dark'] as const) {
    for (const view of [...views, ...moreViews]) {
      test(
        `${view.name} has no accessibility violations, ${theme}`,
        // The unit tests check each view, so one suffices here for the usual run. Axe crashes the tab of Firefox 153 on its list.
        { tag: theme === 'dark' || view.name !== 'Account' ? '@variant' : '@chromium' },
        async ({ page, urls, extension }) => {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          await view.show({ page, urls, extension })
          expect(await axeViolations(page)).toEqual([])
        },
      )
    }
  }

  test(
    'the button of the landing page scrolls to the embedded card on a phone',
    { tag: '@extended' },
    async ({ page, urls }) => {
      await page.setViewportSize({ width: 390, height: 560 })
      await page.goto(urls.web)
      const card = page.locator('latchkey-modal[data-embedded]')
      await expect(card).toBeAttached()
      await expect(card).not.toBeInViewport()
      await connectButton(page).click()
      await expect(card.getByRole('heading', { name: 'Connect wallet' })).toBeInViewport()
    },
  )

  test('works with the keyboard alone and restores focus', async ({ page, urls, extension }) => {
    void extension
    await page.goto(`${urls.web}/account`)
    await connectButton(page).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(connectButton(page)).toBeFocused()
    await page.keyboard.press('Enter')
    const wallet = dialog.getByRole('button', { name: /Test Extension/ })
    for (let step = 0; step < 20 && !(await wallet.evaluate((row) => row.matches(':focus'))); step += 1) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await expect(connectButton(page)).toContainText('0xf3…b92266')
  })

  for (const width of [320, 390, 1280]) {
    // The narrowest width is the hardest, so it has all views.
    for (const view of width === 320 ? [...views, ...moreViews] : views) {
      const title = `${view.name} has no horizontal overflow at ${width} pixels`
      test(title, { tag: '@variant' }, async ({ page, urls, extension }) => {
        await page.setViewportSize({ width, height: 800 })
        await view.show({ page, urls, extension })
        expect(await page.evaluate(measureOverflow)).toEqual([])
      })
    }
  }

  test('is 360 pixels wide on a desktop [R2.2.9]', async ({ page, urls }) => {
    await page.goto(`${urls.web}/account`)
    const dialog = await openModal(page)
    // The card grows slightly while it appears.
    await expect.poll(async () => (await dialog.locator('[part="card"]').boundingBox())?.width).toBe(360)
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

    test('is a bottom sheet of full page width [R2.2.9]', async ({ page, urls }) => {
      await page.goto(`${urls.web}/account`)
      const dialog = await openModal(page)
      await expect
        .poll(async () => {
          const box = await dialog.locator('[part="card"]').boundingBox()
          return box === null ? undefined : [box.width, Math.round(box.y + box.height)]
        })
        .toEqual([390, 844])
    })
  })

  test('opens the account view when connected and the connect view otherwise [R2.1.3] [R2.1.4]', async ({
    page,
    urls,
    extension,
  }) => {
    void extension
    await page.goto(`${urls.web}/account`)
    const dialog = await openModal(page)
    await expect(dialog.getByRole('heading', { level: 1 })).toHaveText('Connect wallet')
    await page.keyboard.press('Escape')
    await connectExtension(page)
    await openModal(page)
    await expect(dialog.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  })
})
