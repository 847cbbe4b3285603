import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from '@playwright/test'
import { createSimulatedSafe } from '@latchkey/testkit'
import { installSimulatedExtension, openSafePage, type InstallOptions } from '@latchkey/testkit/playwright'
import { connectButton, expect, openModal, otherAddress, test, userKey, type Urls } from './support/fixtures.ts'

const ownerKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

function optionsOf(urls: Urls): InstallOptions {
  return { privateKeys: [userKey], rpcUrls: { 31337: urls.evm, 31338: urls.evm2 }, chainId: 31337 }
}

/** Serves the site for use in a Safe. The normal site forbids framing. */
async function startFramableSite({ web }: Urls) {
  const server = createServer(async ({ url = '/' }, response) => {
    const page = await fetch(`${web}${url}`)
    response.statusCode = page.status
    for (const name of ['content-type', 'content-security-policy']) {
      const value = page.headers.get(name)?.replace("frame-ancestors 'none'", 'frame-ancestors *')
      if (value !== undefined) response.setHeader(name, value)
    }
    response.end(Buffer.from(await page.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server always has an address object.
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

test.describe('injected wallet without an EIP-6963 announcement', () => {
  test('is listed by the name of its flag, connects and signs [R3.7]', async ({ page, urls }) => {
    const legacyFlags = ['isMetaMask', 'isExampleWallet']
    await installSimulatedExtension(page, { ...optionsOf(urls), announces: false, legacyFlags })
    await page.goto(`${urls.web}/account`)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: /Example Wallet/ }).click()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    await page.reload()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
  })

  test(
    'is listed as Browser wallet when injected late with a generic flag',
    { tag: '@variant' },
    async ({ page, urls }) => {
      const legacyFlags = ['isMetaMask']
      await installSimulatedExtension(page, { ...optionsOf(urls), announces: false, legacyFlags, announceAfter: 300 })
      await page.goto(`${urls.web}/account`)
      const dialog = await openModal(page)
      await dialog.getByRole('button', { name: /Browser wallet/ }).click()
      await expect(page.getByRole('heading', { name: 'Browser wallet', level: 2 })).toBeVisible()
    },
  )

  test('is listed once when it also announces itself', { tag: '@variant' }, async ({ page, urls }) => {
    const info = { name: 'Test Extension', rdns: 'test.latchkey.extension' }
    await installSimulatedExtension(page, { ...optionsOf(urls), info, legacyFlags: ['isMetaMask'] })
    await page.goto(`${urls.web}/account`)
    const dialog = await openModal(page)
    await expect(dialog.getByRole('button', { name: /Test Extension/ })).toHaveCount(1)
    await expect(dialog.getByRole('button', { name: /Browser wallet/ })).toHaveCount(0)
  })
})

test('app opened inside Safe connects, signs and sends with the Safe account', async ({ page, urls, browserName }) => {
  const safe = await createSimulatedSafe({ ownerKey, rpcUrl: urls.evm, chainId: 31337 })
  const site = await startFramableSite(urls)
  const app = await openSafePage(page, safe, `${site.url}/account`)
  // Clicks of WebDriver do not reach a frame of another site in Firefox.
  const click = (button: Locator): Promise<void> =>
    browserName === 'firefox' ? button.dispatchEvent('click') : button.click()
  await click(app.locator('.site-header').getByRole('button'))
  await click(app.getByRole('dialog').getByRole('button', { name: /Safe/ }))
  await expect(app.locator('.site-header').getByRole('button')).toContainText(safe.address.slice(0, 4))
  await click(app.getByRole('button', { name: 'Sign' }))
  await expect(app.getByText('The signature verifies.')).toBeVisible()
  await app.getByRole('textbox', { name: 'To' }).fill(otherAddress)
  await app.getByRole('textbox', { name: /Amount/ }).fill('0')
  await click(app.getByRole('button', { name: 'Send' }))
  await expect(app.getByText(/Mined in block \d+\./)).toBeVisible()
  expect(safe.requests.map(({ method }) => method)).toContain('sendTransactions')
  site.stop()
})
