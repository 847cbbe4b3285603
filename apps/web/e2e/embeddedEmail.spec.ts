import { connectButton, expect, test } from './fixtures.ts'
import { answer, logInAnew, someAddress } from './embeddedLogin.ts'

test.beforeEach(async ({ page, urls }) => {
  await page.goto(`${urls.web}/account`)
})

test('who has an e-mail address gets a wallet in two families, and signs with it [R1.1] [R1.7]', async ({
  page,
  urls,
}) => {
  await logInAnew(page, urls, someAddress())
  await expect(connectButton(page)).toContainText('0x', { timeout: 20_000 })
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Sign' }).click()
  await answer(page, 'Approve')
  await expect(page.getByText('The signature verifies.')).toBeVisible()
})
