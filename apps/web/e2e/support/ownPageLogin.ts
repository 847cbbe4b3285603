import { expect, type Page } from '@playwright/test'
import { approveDevice, code, mailTo } from './embeddedLogin.ts'
import type { Urls } from './fixtures.ts'

const projectId = 'ab'.repeat(16)

/**
 * Opens one of the embedded wallet's own pages and logs in by e-mail.
 *
 * @param after id of the newest mail that belongs to an earlier login
 * @returns id of the mail with the code
 */
export async function logInOnPage(
  page: Page,
  urls: Urls,
  path: 'account' | 'export',
  address: string,
  after = 0,
): Promise<number> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const title = (name: string) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await page.goto(`${urls.frame}/${path}/?projectId=${projectId}`)
  if (path === 'export') await press('Show my keys')
  await page.getByLabel('Email address').fill(address)
  await press('Continue')
  await title('Approve this browser')
  await approveDevice(page.context(), urls, address, await page.locator('.match').innerText(), after)
  await title('Enter the code')
  const { found, id } = await mailTo(urls, address, code, after)
  await page.getByLabel('Code').fill(found)
  return id
}
