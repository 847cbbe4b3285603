import type { Page } from '@playwright/test'
import { addressesOf, answer, expectConnected, logInAnew, screenOf, siteOf, someAddress } from './embeddedLogin.ts'
import { expect, type Urls } from './fixtures.ts'
import { answerTo, ask, heardBy, say } from './frameHost.ts'
import { logIn, test } from './frameLogin.ts'

test.describe.configure({ timeout: 60_000 })

/** Asks for a signature, and waits until it is there to be approved. */
async function askForSignature(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(screenOf(page).getByRole('button', { name: 'Approve' })).toBeVisible()
}

/** Asks for a signature, and gives it. */
async function sign(page: Page): Promise<void> {
  await askForSignature(page)
  await answer(page, 'Approve')
  await expect(page.getByText('The signature verifies.')).toBeVisible()
}

/** Approves in a page that holds the frame by itself; a press in the moment of a change is made again. */
async function approveIn(dapp: Page): Promise<void> {
  const approve = dapp.frameLocator('iframe').getByRole('button', { name: 'Approve', exact: true })
  await expect(async () => {
    await approve.hover()
    await approve.click()
    await expect(approve).toBeHidden({ timeout: 3_000 })
  }).toPass()
}

/** Loads the frame's document anew, under what it shows. */
async function reloadFrame(page: Page, urls: Urls): Promise<void> {
  const frame = page.frames().find((each) => each.url().startsWith(urls.frame))
  await frame?.evaluate(() => setTimeout(() => location.reload()))
}

/** The request ended so, and nothing is left of it on the screen. */
async function expectRefused(page: Page, sentence: string): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a signature whose frame begins anew, or is gone, is refused, and the next one is given [I-12]', async ({
  page,
  context,
  urls,
}) => {
  await page.goto(`${siteOf(urls)}/account`)
  await logInAnew(page, urls, someAddress())
  await expectConnected(page)

  await askForSignature(page)
  await reloadFrame(page, urls)
  await expectRefused(page, 'does not answer')

  // What comes in place of the frame is a page of the browser's own, which says nothing.
  await askForSignature(page)
  await context.setOffline(true)
  await reloadFrame(page, urls)
  await expectRefused(page, 'does not answer')
  await context.setOffline(false)
  await sign(page)
})

test(
  'a signature without a network is given where it needs none, and else refused with the reason [I-12]',
  { tag: '@long' },
  async ({ page, context, urls }) => {
    await page.goto(`${siteOf(urls)}/account`)
    await logInAnew(page, urls, someAddress())
    await expectConnected(page)
    const before = await addressesOf(page)
    await sign(page)
    await reloadFrame(page, urls)
    await expect(page.locator('#latchkey-frame')).toHaveCount(0)

    // The frame that is loaded for the next one misses a part of itself, and gets it once there is a network again.
    await context.route(/assets\/desk-/, (route) => route.abort())
    await page.getByRole('button', { name: 'Sign' }).click()
    await expectRefused(page, 'A part of the wallet cannot be loaded. Try again.')
    await context.unroute(/assets\/desk-/)

    // A smart account's signature depends on what is on the chain, which nobody can ask now.
    await askForSignature(page)
    await context.setOffline(true)
    await answer(page, 'Approve')
    await expectRefused(page, 'cannot be reached. Try again.')
    await context.setOffline(false)
    await sign(page)

    // An account that is a key needs no network to sign. The site loads what verifies it with the first.
    await page.getByRole('button', { name: 'Use Solana' }).click()
    await sign(page)
    await askForSignature(page)
    await context.setOffline(true)
    await answer(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    await context.setOffline(false)
    expect(await addressesOf(page)).toEqual(before)
  },
)

test('what comes late of a request that was given up is not said, and the next one is asked [I-12]', async ({
  dapp,
  urls,
}) => {
  await logIn(dapp, urls)
  const { payload } = await ask(dapp, 'GET_USER', { chainId: 'eip155:31337' })
  const request = { method: 'personal_sign', params: ['0x68656c6c6f', payload?.['address']] }
  await say(dapp, { type: '@w3m-app/RPC_REQUEST', id: 'late', payload: request })
  await expect(dapp.frameLocator('iframe').getByRole('button', { name: 'Approve' })).toBeVisible()
  // The network keeps its answer back until the page has given up.
  let letGo = (): void => {}
  const given = new Promise<void>((resolve) => (letGo = resolve))
  let held = 0
  await dapp.route(`${urls.server}/v1?*`, async (route) => {
    held += 1
    await given
    await route.continue()
  })
  await approveIn(dapp)
  await expect.poll(() => held).toBeGreaterThan(0)
  await ask(dapp, 'RPC_ABORT', { id: 'late' })
  expect(await answerTo(dapp, 'late')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })

  // One follows the other: when the next one is shown, the first has come to its end.
  await say(dapp, { type: '@w3m-app/RPC_REQUEST', id: 'next', payload: request })
  letGo()
  await approveIn(dapp)
  expect(await answerTo(dapp, 'next')).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
  expect((await heardBy(dapp)).filter(({ id }) => id === 'late')).toHaveLength(1)
})
