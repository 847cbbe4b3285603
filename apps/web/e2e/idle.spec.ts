import type { Page } from '@playwright/test'
import { connectExtension, expect, openModal, test } from './support/fixtures.ts'

const tenMinutes = 600_000

/** Watches all requests of a page. */
function watchRequests(page: Page): { whileIdle(milliseconds: number): Promise<readonly string[]> } {
  const requests: string[] = []
  let last = 0
  page.on('request', (request) => {
    // The stream of changes stays open. The installed clock makes it look silent, so that it is opened again.
    if (new URL(request.url()).pathname.endsWith('/events')) return
    requests.push(request.url())
    last = Date.now()
  })
  // Requests that an interaction started are done once no request follows for a while of real time.
  const rest = (): Promise<void> => expect.poll(() => Date.now() - last).toBeGreaterThan(1_000)
  return {
    /** Returns the requests during the given milliseconds of the page's clock without interaction. */
    async whileIdle(milliseconds) {
      await rest()
      const before = requests.length
      await page.clock.runFor(milliseconds)
      await rest()
      return requests.slice(before)
    },
  }
}

test.describe('idle connected page', () => {
  let watch: ReturnType<typeof watchRequests>

  test.beforeEach(async ({ page, urls, extension }) => {
    expect(extension).toBeDefined()
    watch = watchRequests(page)
    await page.clock.install()
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
    await expect(page.getByRole('region', { name: 'Test Extension' })).toContainText(/\d LUSD/)
  })

  test('sends no requests in ten minutes with the modal closed', async () => {
    expect((await watch.whileIdle(tenMinutes)).slice(1)).toEqual([])
  })

  test('sends no requests in ten minutes with the account view open', { tag: '@variant' }, async ({ page }) => {
    const account = await openModal(page)
    await expect(account.getByText('LUSD').first()).toBeVisible()
    expect((await watch.whileIdle(tenMinutes)).slice(1)).toEqual([])
    await account.getByRole('tab', { name: 'Activity' }).click()
    await expect(account.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
    expect((await watch.whileIdle(tenMinutes)).slice(1)).toEqual([])
  })
})
