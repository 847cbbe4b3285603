import { connectExtension, expect, openModal, test, userAddress } from '../support/fixtures.ts'

test('Receive shows the full address with a QR code and copies it [R1.6]', async ({ page, urls, extension }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Receive' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code of your address on Latchkey Local' })).toBeVisible()
  await expect(dialog.getByText(userAddress, { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy address' }).last().click()
  await expect(dialog.getByText('Address copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(userAddress)

  await dialog.getByRole('button', { name: /Latchkey Local Works on 2 networks/ }).click()
  await expect(dialog.getByRole('heading', { level: 1, name: 'Networks for this address' })).toBeVisible()
  await expect(dialog.getByText('Latchkey Second')).toBeVisible()
  expect(extension).toBeDefined()
})
