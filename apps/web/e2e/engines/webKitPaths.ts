import { code, mailTo, siteOf, someAddress } from '../support/embeddedLogin.ts'
import { otherAddress } from '../support/fixtures.ts'
import { enter } from './webKitPage.ts'
import { connectExtension, queryButton, shortAddress, test } from './webKitTest.ts'

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

test('email login opens a wallet that asks in a window before it signs in WebKit [R1.1] [R1.5] [I-11]', async ({
  webKit,
  urls,
}) => {
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
  for (const [decision, result] of [
    [/^Reject$/, /rejected/i],
    [/^Approve$/, /The signature verifies\./],
  ] as const) {
    await webKit.click(queryButton(/^Sign$/))
    await webKit.inWindow(
      () => webKit.inFrame('#latchkey-frame', () => webKit.click(queryButton(/Open the window/))),
      () => webKit.clickUntilClosed(queryButton(decision)),
    )
    await webKit.waitForText(result)
  }
})
