import type { Page } from '@playwright/test'
import { connectExtension, expect, openModal, test } from './fixtures.ts'

const tenMinutes = 600_000

/** Looks at what a page asks anybody. */
function watchRequests(page: Page): { whileIdle(milliseconds: number): Promise<readonly string[]> } {
  const asked: string[] = []
  let last = 0
  page.on('request', (request) => {
    asked.push(request.url())
    last = Date.now()
  })
  // What was begun with a touch is over when nothing was asked for a while of real time.
  const rest = (): Promise<void> => expect.poll(() => Date.now() - last).toBeGreaterThan(1_000)
  return {
    /** What is asked while so many milliseconds of the page's clock pass in which nobody touches it. */
    async whileIdle(milliseconds) {
      await rest()
      const before = asked.length
      await page.clock.runFor(milliseconds)
      await rest()
      return asked.slice(before)
    },
  }
}

test.describe('a connected page that nobody touches', () => {
  let watch: ReturnType<typeof watchRequests>

  test.beforeEach(async ({ page, urls, extension }) => {
    expect(extension).toBeDefined()
    watch = watchRequests(page)
    await page.clock.install()
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
    await expect(page.getByRole('region', { name: 'Test Extension' })).toContainText(/\d LUSD/)
  })

  test('asks for nothing in ten minutes with the modal closed', async () => {
    expect((await watch.whileIdle(tenMinutes)).slice(1)).toEqual([])
  })

  test('asks for nothing in ten minutes with its account on show', async ({ page }) => {
    const account = await openModal(page)
    await expect(account.getByText('LUSD').first()).toBeVisible()
    expect((await watch.whileIdle(tenMinutes)).slice(1)).toEqual([])
    await account.getByRole('tab', { name: 'Activity' }).click()
    await expect(account.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
    expect((await watch.whileIdle(tenMinutes)).slice(1)).toEqual([])
  })
})
