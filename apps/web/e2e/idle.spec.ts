import type { Page } from '@playwright/test'
import { connectExtension, expect, openModal, test } from './fixtures.ts'

const tenMinutes = 600_000

/** What a page asks anybody while so many milliseconds pass in which nobody touches it. */
async function askedWhileIdle(page: Page, milliseconds: number): Promise<readonly string[]> {
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.clock.runFor(milliseconds)
  await page.waitForLoadState('networkidle')
  return asked
}

test.describe('a connected page that nobody touches', () => {
  test.beforeEach(async ({ page, urls, extension }) => {
    expect(extension).toBeDefined()
    await page.clock.install()
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
  })

  test('asks for nothing in ten minutes with the modal closed', async ({ page }) => {
    expect((await askedWhileIdle(page, tenMinutes)).length).toBeLessThanOrEqual(1)
  })

  test('asks for nothing in ten minutes with its account on show', async ({ page }) => {
    const account = await openModal(page)
    await expect(account.getByText('LUSD').first()).toBeVisible()
    expect((await askedWhileIdle(page, tenMinutes)).length).toBeLessThanOrEqual(1)
    await account.getByRole('tab', { name: 'Activity' }).click()
    await expect(account.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
    expect((await askedWhileIdle(page, tenMinutes)).length).toBeLessThanOrEqual(1)
  })
})
