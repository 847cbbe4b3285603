import type { Page } from '@playwright/test'
import { listAccountViews } from './accountViews.ts'
import { connectExtension, expect, otherAddress } from './fixtures.ts'
import type { ShownView, Stage } from './shownView.ts'

/** The languages of the translated pictures: long words, and right to left. */
export const pictureLanguages = ['de', 'ar'] as const

/** Connects in English, then selects a language and opens the modal. Nothing is located by its text from there on. */
async function openAccountIn(language: string, { page, urls }: Stage, wallet?: string): Promise<void> {
  await page.goto(`${urls.web}/account`)
  await connectExtension(page, wallet)
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('combobox', { name: 'Language' }).selectOption(language)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.locator('.site-header .latchkey-button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('latchkey-modal .action')).toHaveCount(4)
}

async function chooseAction(page: Page, index: number): Promise<void> {
  await page.locator('latchkey-modal .action').nth(index).click()
  await expect(page.locator('latchkey-modal .action')).toHaveCount(0)
}

/** The views of an account in a language. */
export function listTranslatedViews(language: string): readonly ShownView[] {
  const openAccount = (stage: Stage): Promise<void> => openAccountIn(language, stage)
  const view = (name: string, show: (stage: Stage) => Promise<void> = async () => undefined): ShownView => ({
    name: `${name}, ${language}`,
    async show(stage) {
      await openAccount(stage)
      await show(stage)
    },
  })
  return [
    view('Account'),
    ...['OnRampProviders', 'Swap', 'WalletReceive'].map((name, index) =>
      view(name, ({ page }) => chooseAction(page, index)),
    ),
    view('OnRampProviders, with prices', async ({ page }) => {
      await chooseAction(page, 0)
      await page.locator('latchkey-modal .share-buttons button').first().click()
      await expect(page.locator('latchkey-modal .facts')).toBeVisible()
    }),
    view('SwapPreview', async ({ page }) => {
      await chooseAction(page, 1)
      const pane = page.locator('latchkey-modal [data-view=Swap]')
      await pane.locator('.token-button').last().click()
      await page
        .getByRole('button', { name: /Latch Dollar/ })
        .last()
        .click()
      await pane.getByRole('textbox').nth(1).fill('1234.56')
      await pane.locator('.button[data-primary]').click()
      await expect(page.locator('latchkey-modal [data-view=SwapPreview] .facts')).toBeVisible()
    }),
    ...listAccountViews(language, (stage, wallet) => openAccountIn(language, stage, wallet)),
    view('WalletSendPreview', async ({ page }) => {
      await chooseAction(page, 3)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').first().fill('1.25')
      await dialog.getByRole('textbox').last().fill(otherAddress)
      const primary = dialog.locator('.button[data-primary]').last()
      await expect(primary).toBeEnabled()
      await primary.click()
      await expect(dialog.locator('[data-view=WalletSendPreview] .facts')).toBeVisible()
    }),
  ]
}
