import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { loginViews } from './support/loginViews.ts'
import { listTranslatedViews, pictureLanguages } from './support/translatedViews.ts'
import { moreViews, views, wordlessViews } from './support/views.ts'

// Not a test: takes a picture of every view for review. `npm run gallery` runs it.
const folder = new URL('../../../.latchkey/gallery/', import.meta.url).pathname
const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const pages = { landing: '/', playground: '/playground', account: '/account', status: '/status' }

mkdirSync(folder, { recursive: true })

/** Waits until a view is complete. An open account streams its changes, so its page never becomes idle. */
async function settle(page: Page): Promise<void> {
  await Promise.race([page.waitForLoadState('networkidle'), page.waitForTimeout(3_000)])
  await expect(page.locator('latchkey-modal .pane[data-leaving]')).toHaveCount(0)
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(sizes)) {
    const suffix = `${size}-${colorScheme}`
    test.describe(suffix, () => {
      test.use({ viewport, colorScheme, contextOptions: { reducedMotion: 'reduce' } })

      for (const view of [...views, ...moreViews, ...loginViews, ...pictureLanguages.flatMap(listTranslatedViews)]) {
        test(view.name, async ({ page, urls, extension }) => {
          await view.show({ page, urls, extension })
          await settle(page)
          await page.screenshot({ path: `${folder}${view.name.replaceAll(/\W+/g, '-')}-${suffix}.png` })
        })
      }

      for (const view of wordlessViews) {
        test(`${view.name}, right to left`, async ({ page, urls, extension }) => {
          await page.goto(`${urls.web}/playground`)
          await page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
          await page.getByRole('link', { name: 'Account' }).click()
          await view.show({ page, urls, extension })
          await settle(page)
          await page.screenshot({ path: `${folder}${view.name}-rtl-${suffix}.png` })
        })
      }

      for (const [name, path] of Object.entries(pages)) {
        test(`page ${name}`, async ({ page, urls }) => {
          await page.goto(urls.web + path)
          await expect(page.getByRole('main')).toBeVisible()
          await page.waitForLoadState('networkidle')
          // An embedded modal makes no request before the user interacts, and may not listen yet.
          await expect(async () => {
            await page.mouse.move(8, 8)
            await page.mouse.move(9, 9)
            await expect(page.locator('latchkey-modal .skeleton:visible')).toHaveCount(0, { timeout: 500 })
          }).toPass()
          await page.screenshot({ path: `${folder}page-${name}-${suffix}.png`, fullPage: true })
        })
      }

      test('developer wallet', async ({ page, urls }) => {
        await page.goto(urls.wallet)
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `${folder}wallet-${suffix}.png`, fullPage: true })
      })
    })
  }
}
