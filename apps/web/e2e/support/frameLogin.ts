import type { Page } from '@playwright/test'
import { approveDevice, code, mailTo, someAddress } from './embeddedLogin.ts'
import { expect, test as base, type Urls } from './fixtures.ts'
import { sendRequest, receivedBy, startHost, type FrameHost } from './frameHost.ts'

export const projectId = 'ab'.repeat(16)

/** The frame's address for a project. */
export const createSdkUrl = (urls: Urls, id = projectId): string =>
  `${urls.frame}/sdk?projectId=${id}&chainId=eip155:31337`

/** Waits until the frame is ready for messages. */
export const waitUntilFrameReady = (page: Page): Promise<void> =>
  expect.poll(async () => (await receivedBy(page)).some(({ type }) => type === '@w3m-frame/READY')).toBe(true)

/** Tests with a page that may embed the frame, and embeds it. */
export const test = base.extend<{ host: FrameHost; dapp: Page }>({
  host: async ({}, use) => {
    const host = await startHost()
    await use(host)
    await host.close()
  },
  dapp: async ({ page, host, urls }, use) => {
    await page.goto(`${host.origin}/?frame=${encodeURIComponent(createSdkUrl(urls))}`)
    await waitUntilFrameReady(page)
    await use(page)
  },
})

/** Logs in with raw protocol messages. */
export async function logIn(page: Page, urls: Urls, address: string = someAddress()): Promise<void> {
  const { payload } = await sendRequest(page, 'CONNECT_EMAIL', { email: address })
  expect(payload).toEqual({ action: 'VERIFY_DEVICE', match: expect.stringMatching(/^\d\d$/) })
  await approveDevice(page.context(), urls, address, String(payload?.['match']))
  expect((await sendRequest(page, 'CONNECT_DEVICE')).type).toBe('@w3m-frame/CONNECT_DEVICE_SUCCESS')
  const { found } = await mailTo(urls, address, code)
  expect((await sendRequest(page, 'CONNECT_OTP', { otp: found })).type).toBe('@w3m-frame/CONNECT_OTP_SUCCESS')
}
