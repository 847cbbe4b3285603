import type { Page } from '@playwright/test'
import {
  addressesOf,
  respond,
  expectConnected,
  logInAsNewUser,
  screenOf,
  siteOf,
  someAddress,
} from '../support/embeddedLogin.ts'
import { expect, type Urls } from '../support/fixtures.ts'
import { responseTo, sendRequest, receivedBy, postMessages } from '../support/frameHost.ts'
import { logIn, test } from '../support/frameLogin.ts'

/** Requests a signature and waits for its approval screen. */
async function requestSignature(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(screenOf(page).getByRole('button', { name: 'Approve' })).toBeVisible()
}

/** Requests a signature and approves it. */
async function sign(page: Page): Promise<void> {
  await requestSignature(page)
  await respond(page, 'Approve')
  await expect(page.getByText('The signature verifies.')).toBeVisible()
}

/** Approves in a page that embeds the frame directly. Repeats a click that the click guard ignored. */
async function approveIn(dapp: Page): Promise<void> {
  const approve = dapp.frameLocator('iframe').getByRole('button', { name: 'Approve', exact: true })
  await expect(async () => {
    await approve.hover()
    await approve.click()
    await expect(approve).toBeHidden({ timeout: 3_000 })
  }).toPass()
}

/** Reloads the frame's document while it shows an approval. */
async function reloadFrame(page: Page, urls: Urls): Promise<void> {
  const frame = page.frames().find((each) => each.url().startsWith(urls.frame))
  await frame?.evaluate(() => setTimeout(() => location.reload()))
}

/** Expects the request to end with this error and the approval screen to close. */
async function expectRefused(page: Page, sentence: string): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test(
  'signature is rejected if the frame reloads or goes offline, and the next one succeeds [I-12]',
  { tag: '@variant' },
  async ({ page, context, urls }) => {
    await page.goto(`${siteOf(urls)}/account`)
    await logInAsNewUser(page, urls, someAddress())
    await expectConnected(page)

    await requestSignature(page)
    await reloadFrame(page, urls)
    await expectRefused(page, 'does not respond')

    // The browser's error page replaces the frame and sends no messages.
    await requestSignature(page)
    await context.setOffline(true)
    await reloadFrame(page, urls)
    await expectRefused(page, 'does not respond')
    await context.setOffline(false)
    await sign(page)
  },
)

test(
  'offline signature succeeds for a key account and is rejected with a reason for a smart account [I-12]',
  { tag: '@long' },
  async ({ page, context, urls }) => {
    await page.goto(`${siteOf(urls)}/account`)
    await logInAsNewUser(page, urls, someAddress())
    await expectConnected(page)
    const before = await addressesOf(page)
    await sign(page)
    await reloadFrame(page, urls)
    await expect(page.locator('#latchkey-frame')).toHaveCount(0)

    // The frame for the next request lacks a chunk, and loads it once the network is back.
    await context.route(/assets\/userScreens-/, (route) => route.abort())
    await page.getByRole('button', { name: 'Sign' }).click()
    await expectRefused(page, 'The wallet could not be loaded completely. Try again.')
    await context.unroute(/assets\/userScreens-/)

    // A smart account's signature depends on chain state, which can't be read now.
    await sign(page)
    await context.setOffline(true)
    await requestSignature(page)
    await respond(page, 'Approve')
    await expectRefused(page, 'cannot be reached. Try again.')
    await context.setOffline(false)
    await sign(page)

    // An externally owned account signs without a network. The site loads the verifier with the first signature.
    await page.getByRole('button', { name: 'Use Solana' }).click()
    await sign(page)
    await requestSignature(page)
    await context.setOffline(true)
    await respond(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    await context.setOffline(false)
    expect(await addressesOf(page)).toEqual(before)
  },
)

test(
  'late result of an aborted request is dropped, and the next request succeeds [I-12]',
  { tag: '@variant' },
  async ({ dapp, urls }) => {
    await logIn(dapp, urls)
    const { payload } = await sendRequest(dapp, 'GET_USER', { chainId: 'eip155:31337' })
    const request = { method: 'personal_sign', params: ['0x68656c6c6f', payload?.['address']] }
    // The network delays its response until the page has timed out.
    let letGo = (): void => {}
    const given = new Promise<void>((resolve) => (letGo = resolve))
    let held = 0
    await dapp.route(`${urls.server}/v1?*`, async (route) => {
      held += 1
      await given
      await route.continue()
    })
    await postMessages(dapp, { type: '@w3m-app/RPC_REQUEST', id: 'late', payload: request })
    await approveIn(dapp)
    await expect.poll(() => held).toBeGreaterThan(0)
    await sendRequest(dapp, 'RPC_ABORT', { id: 'late' })
    expect(await responseTo(dapp, 'late')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })

    // Requests run one after another: when the next one appears, the first has ended.
    await postMessages(dapp, { type: '@w3m-app/RPC_REQUEST', id: 'next', payload: request })
    letGo()
    await approveIn(dapp)
    expect(await responseTo(dapp, 'next')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
    expect((await receivedBy(dapp)).filter(({ id }) => id === 'late')).toHaveLength(1)
  },
)
