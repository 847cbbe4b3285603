import { installSimulatedExtension, type InstalledExtension } from '@latchkey/testkit/playwright'
import { writeFile } from 'node:fs/promises'
import { test as base } from '@playwright/test'
import { code, mailTo, siteOf, someAddress } from '../support/embeddedLogin.ts'
import { otherAddress, userKey, type Urls } from '../support/fixtures.ts'
import { startWebKit } from './startWebKit.ts'
import { createWebKitPage, enter, type ElementQuery, type WebKitPage } from './webKitPage.ts'

type Fixtures = { urls: Urls; webKit: WebKitPage; extension: InstalledExtension }

const test = base.extend<Fixtures>({
  urls: async ({}, use) => {
    // Written by the global setup of the same run.
    await use(JSON.parse(process.env['LATCHKEY_E2E_URLS'] ?? '{}') as Urls)
  },
  webKit: async ({}, use, info) => {
    const { driver, close } = await startWebKit()
    const page = createWebKitPage(driver)
    await use(page)
    await page.pause()
    if (info.status !== info.expectedStatus) {
      await writeFile(info.outputPath('screenshot.png'), await driver.takeScreenshot(), 'base64')
    }
    await close()
  },
  extension: async ({ webKit, urls }, use) => {
    await use(
      await installSimulatedExtension(webKit, {
        privateKeys: [userKey],
        rpcUrls: { 31337: urls.evm, 31338: urls.evm2 },
        chainId: 31337,
        info: { name: 'Test Extension', rdns: 'test.latchkey.extension' },
      }),
    )
  },
})

const queryButton = (name: RegExp): ElementQuery => ({ role: 'button', name })
const shortAddress = /0xf3…b92266/i

async function connectExtension(page: WebKitPage, urls: Urls): Promise<void> {
  await page.goto(`${urls.web}/account`)
  await page.click(queryButton(/^Connect$/))
  await page.click(queryButton(/Test Extension/))
  await page.waitForText(shortAddress)
}

test(
  'extension connects, signs, pays, reconnects and disconnects in WebKit [R1.1] [R1.3] [R4.3] [R4.5]',
  { tag: '@smoke' },
  async ({ webKit, urls, extension }) => {
    void extension
    await connectExtension(webKit, urls)
    await webKit.click(queryButton(/^Sign$/))
    await webKit.waitForText(/The signature verifies\./)
    await webKit.type({ role: 'textbox', name: /^To$/ }, otherAddress)
    await webKit.click(queryButton(/^Send$/))
    await webKit.waitForText(/Mined in block \d+\./)

    await webKit.reload()
    await webKit.waitForText(shortAddress)
    await webKit.clickUntil(queryButton(/^Disconnect$/), /No wallet is connected/)
  },
)

test('phone wallet connects by a link in WebKit [R1.1]', async ({ webKit, urls }) => {
  await webKit.goto(`${urls.web}/account`)
  await webKit.click(queryButton(/^Connect$/))
  await webKit.click(queryButton(/Latchkey Developer Wallet/))
  await webKit.inWindow(
    () => webKit.click({ role: 'link', name: /^Open Latchkey Developer Wallet/ }),
    () => webKit.click(queryButton(/^Approve$/)),
  )
  await webKit.waitForText(/0x[0-9a-f]{2}…/i)
})

test('email login opens a wallet that signs in a window in WebKit [R1.1] [R1.5] [I-11]', async ({ webKit, urls }) => {
  const address = someAddress('webkit')
  await webKit.goto(`${siteOf(urls)}/account`)
  await webKit.click(queryButton(/^Connect$/))
  await webKit.type({ role: 'textbox', name: /Email address/ }, address, enter)
  const digits = (await webKit.waitForText(/\d \d(?=\s)/)).replaceAll(' ', '')
  const { found: link } = await mailTo(urls, address, /(https?:\/\/\S+\?\S+)/)
  await webKit.inNewWindow(link, async () => {
    await webKit.type({ role: 'textbox', name: /two digits/ }, digits)
    await webKit.click(queryButton(/^Yes, /))
    await webKit.waitForText(/Approved/)
  })
  await webKit.type({ role: 'textbox', name: /Six-digit code/ }, (await mailTo(urls, address, code)).found)
  await webKit.waitForText(/0x[0-9a-f]{2}…/i)
  await webKit.click(queryButton(/^Close$/))
  await webKit.click(queryButton(/^Sign$/))
  await webKit.inWindow(
    () => webKit.inFrame('#latchkey-frame', () => webKit.click(queryButton(/Open the window/))),
    () => webKit.clickUntilClosed(queryButton(/^Approve$/)),
  )
  await webKit.waitForText(/The signature verifies\./)
})
