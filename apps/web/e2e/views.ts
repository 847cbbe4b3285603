import type { InstalledExtension } from '@latchkey/testkit/playwright'
import type { Page } from '@playwright/test'
import { connectExtension, expect, openModal, type Urls } from './fixtures.ts'

/** What showing a view needs. */
export type Stage = { page: Page; urls: Urls; extension: InstalledExtension }

/** A view of the modal, and how a visitor gets there. */
export type ShownView = { name: string; show(stage: Stage): Promise<void> }

async function openConnect({ page, urls }: Stage): Promise<void> {
  await page.goto(`${urls.web}/account`)
  await openModal(page)
}

async function openAccount({ page, urls }: Stage): Promise<void> {
  await page.goto(`${urls.web}/account`)
  const connected = page.locator('.site-header').getByRole('button', { name: /…/ })
  if (!(await connected.isVisible().catch(() => false))) await connectExtension(page).catch(() => undefined)
  await openModal(page)
}

/** Every view that there is, in the order of a first visit. */
export const views: readonly ShownView[] = [
  { name: 'Connect', show: openConnect },
  {
    name: 'AllWallets',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /All wallets/i }).click()
      await expect(dialog.getByRole('searchbox')).toBeVisible()
    },
  },
  {
    name: 'ConnectingWalletConnect',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /WalletConnect/ }).click()
      await expect(dialog.getByRole('img', { name: /QR code/i })).toBeVisible()
    },
  },
  {
    name: 'ConnectingExternal, waiting',
    async show(stage) {
      stage.extension.neverAnswerNext()
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Test Extension/ }).click()
      await expect(dialog.getByText(/Approve in Test Extension/)).toBeVisible()
    },
  },
  {
    name: 'ConnectingExternal, declined',
    async show(stage) {
      stage.extension.rejectNext()
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Test Extension/ }).click()
      await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
    },
  },
  {
    name: 'Account',
    async show(stage) {
      await openAccount(stage)
      await expect(stage.page.getByRole('dialog').getByText('LUSD').first()).toBeVisible()
    },
  },
  {
    name: 'Networks',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Latchkey (Local|Second)/ }).click()
      await expect(dialog.getByRole('button', { name: /Latchkey Second/ })).toBeVisible()
    },
  },
  {
    name: 'UnsupportedChain',
    async show(stage) {
      await openAccount(stage)
      await stage.extension.setChain(5)
      await expect(stage.page.getByRole('heading', { level: 1, name: 'Switch Network' })).toBeVisible()
    },
  },
]
