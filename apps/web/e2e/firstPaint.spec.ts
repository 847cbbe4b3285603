import type { Page } from '@playwright/test'
import { connectButton, expect, test } from './support/fixtures.ts'

const headings = {
  '/': 'Wallet connections that you host yourself',
  '/playground': 'Playground',
  '/account': 'Account',
  '/status': 'Status',
}
const phone = { width: 390, height: 844 }

/** Holds the app's code back until the returned function is called. */
async function holdCode(page: Page): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => void (release = resolve))
  await page.route('**/assets/initial-*.js', async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Records the layout shifts of a page. */
async function recordShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Reflect.set(globalThis, 'layoutShifts', shifts)
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, 'value')))
    })
    observer.observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => {
      const shifts: unknown = Reflect.get(globalThis, 'layoutShifts')
      return Array.isArray(shifts) ? shifts.reduce((sum: number, shift) => sum + Number(shift), 0) : NaN
    })
}

for (const [path, heading] of Object.entries(headings)) {
  test(
    `the page ${path} shows its heading and its connect button without JavaScript`,
    { tag: '@chromium' },
    async ({ browser, urls }) => {
      const context = await browser.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      await page.goto(`${urls.web}${path}`)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      expect((await connectButton(page).boundingBox())?.height).toBe(44)
    },
  )

  test(
    `the code of the page ${path} takes over the rendered elements, and nothing moves on a phone`,
    { tag: '@chromium' },
    async ({ page, urls }) => {
      await page.setViewportSize(phone)
      const errors: string[] = []
      page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
      page.on('pageerror', ({ message }) => void errors.push(message))
      const sumShifts = await recordShifts(page)
      const release = await holdCode(page)
      await page.goto(`${urls.web}${path}`, { waitUntil: 'domcontentloaded' })
      const rendered = await page.getByRole('heading', { level: 1, name: heading }).elementHandle()
      release()
      // The code has run once the styles that the host rendered are replaced.
      await expect(page.locator('#root style')).toHaveCount(0)
      if (path === '/' || path === '/playground') {
        await expect(page.locator('main latchkey-modal').getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
      }
      expect(await rendered?.evaluate((element) => element.isConnected)).toBe(true)
      expect(errors).toEqual([])
      expect(await sumShifts()).toBeLessThan(0.01)
    },
  )
}

// The host renders the default options, so the app renders the page with a sign-in from scratch.
for (const address of ['/account', '/account?sign-in=required']) {
  test(`a click on the connect button of ${address} before the code has loaded opens the modal afterwards`, async ({
    page,
    urls,
  }) => {
    const release = await holdCode(page)
    await page.goto(`${urls.web}${address}`, { waitUntil: 'domcontentloaded' })
    await connectButton(page).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    release()
    await expect(page.getByRole('dialog')).toBeVisible()
  })
}

test('options of the playground can be chosen as soon as the code has loaded', async ({ page, urls }) => {
  const release = await holdCode(page)
  await page.goto(`${urls.web}/playground`, { waitUntil: 'domcontentloaded' })
  const form = page.locator('form[aria-label="Options"]')
  await expect(form).toHaveAttribute('inert')
  release()
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the landing page loads its code in few files', async ({ page, urls }) => {
  const scripts: string[] = []
  page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
  await page.goto(urls.web)
  await expect(page.locator('main latchkey-modal').getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  expect(scripts.length).toBeLessThanOrEqual(20)
})
