import {
  connectButton,
  connectExtension,
  expect,
  openModal,
  otherAddress,
  test,
  userAddress,
} from './support/fixtures.ts'

test.describe('EVM extension', () => {
  test.beforeEach(async ({ page, urls, extension }) => {
    void extension
    await page.goto(`${urls.web}/account`)
  })

  test('connects and shows address and balances from the chain [R1.1] [R1.4] [R6.2] [R7.3.2]', async ({ page }) => {
    await connectExtension(page)
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    const card = page.getByRole('region', { name: 'Test Extension' })
    await expect(card).toContainText(/\d+\.\d{3} ETH/)
    await expect(card).toContainText(/\d+\.\d{3} LUSD/)
    const dialog = await openModal(page)
    await expect(dialog.getByText('0xf3…b92266')).toBeVisible()
    await expect(dialog.getByText(/\d+\.\d{3} LUSD|LUSD/).first()).toBeVisible()
  })

  test('signs a message that verifies [R1.3]', { tag: '@smoke' }, async ({ page }) => {
    await connectExtension(page)
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('sends a transaction that is mined [R7.3.2] [R9.1.4]', async ({ page }) => {
    await connectExtension(page)
    await page.getByRole('textbox', { name: 'To' }).fill(otherAddress)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()
  })

  test('switches network in the modal, adding a network unknown to the wallet [R1.2] [R8.3.13]', async ({ page }) => {
    await connectExtension(page)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: /Latchkey Local/ }).click()
    await dialog.getByRole('button', { name: /Latchkey Second/ }).click()
    await expect(page.getByRole('region', { name: 'Test Extension' })).toContainText('Latchkey Second')
  })

  test('reconnects after a reload without a prompt [R4.3]', { tag: '@variant' }, async ({ page, extension }) => {
    await connectExtension(page)
    const requestCount = extension.requests.filter(({ method }) => method === 'eth_requestAccounts').length
    await page.reload()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    expect(extension.requests.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(requestCount)
  })

  test('disconnects, revokes the permission, and stays disconnected after a reload [R4.1.1] [R4.5]', async ({
    page,
    extension,
  }) => {
    await connectExtension(page)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect.poll(() => extension.requests.map(({ method }) => method)).toContain('wallet_revokePermissions')
    await page.reload()
    await expect(connectButton(page)).toHaveText('Connect')
  })

  test('follows account and network changes in the extension [R3.4] [R3.5]', async ({ page, extension }) => {
    await connectExtension(page)
    await extension.setChain(31338)
    await expect(page.getByRole('region', { name: 'Test Extension' })).toContainText('Latchkey Second')
    await expect(page.getByText(userAddress).first()).toBeAttached()
  })
})
