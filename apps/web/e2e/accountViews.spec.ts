import { connectExtension, expect, openModal, openSettings, test, userAddress } from './support/fixtures.ts'

test('account view shows the account, switches network, disconnects and reconnects', async ({
  page,
  urls,
  extension,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  const dialog = await openModal(page)
  await openSettings(dialog)
  // The previous view has the same button and stays until it has faded out.
  await expect(dialog.getByRole('button', { name: 'Latchkey Local Network' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy address' })).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Copy address' }).click()
  await expect(dialog.getByText('Address copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(userAddress)
  await dialog.getByRole('button', { name: 'Latchkey Local Network' }).click()
  await dialog.getByRole('button', { name: 'Latchkey Second' }).click()
  await expect(dialog.getByRole('button', { name: 'Latchkey Second Network' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('button', { name: 'Test Extension Wallets' }).click()
  await dialog.getByRole('button', { name: 'Disconnect Test Extension' }).click()
  await expect(dialog.getByText('No wallet connected')).toBeVisible()
  await dialog.getByRole('region', { name: 'Recently connected' }).getByRole('button').click()
  await expect(page.getByRole('heading', { name: 'Test Extension', level: 2 })).toBeVisible()
  expect(extension).toBeDefined()
})

test('switching to another chain family requests its own wallet and keeps the first connection', async ({
  page,
  urls,
  extension,
}) => {
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /^Network/ }).click()
  await dialog.getByRole('region', { name: 'Solana' }).getByRole('button').first().click()
  await expect(dialog.getByText(/Test Extension is not connected to Solana/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Connect a wallet' }).click()
  await expect(dialog.getByRole('heading', { level: 1, name: 'Connect wallet' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Test Extension/ })).toBeHidden()
  const stored = await page.evaluate(() => localStorage.getItem('@latchkey/connections'))
  expect(Object.keys(JSON.parse(stored ?? '{}'))).toEqual(['eip155'])
  expect(extension).toBeDefined()
})
