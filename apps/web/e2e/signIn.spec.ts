import {
  installSimulatedBitcoinWallet,
  installSimulatedPolkadotExtension,
  installSimulatedSolanaWallet,
} from '@latchkey/testkit/playwright'
import { verifySignIn, type SignInProof } from '@latchkey/verify'
import type { Page } from '@playwright/test'
import { connectButton, expect, openModal, test, userAddress, type Urls } from './support/fixtures.ts'

type StoredSession = { data: { nonce: string }; message: string; signature: string }

/** Opens the site that requires a sign-in, and connects up to the sign-in view. */
async function openSignIn(
  page: Page,
  urls: Urls,
  choice: 'required' | 'optional',
  wallet = 'Test Extension',
): Promise<void> {
  await page.goto(`${urls.web}/account?sign-in=${choice}`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: new RegExp(wallet) }).click()
  await expect(page.getByText(`${new URL(urls.web).host} asks you to sign in`)).toBeVisible()
}

/** Clicks "Sign" in the current view. The view that slides out is inert and has the same button. */
async function sign(page: Page): Promise<void> {
  const view = page.getByRole('dialog').locator('.pane:not([inert])')
  await view.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

function listStoredSessions(page: Page): Promise<StoredSession[]> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('@latchkey/siwx') ?? '[]') as StoredSession[])
}

async function getFirstStoredSession(page: Page): Promise<StoredSession> {
  const [session] = await listStoredSessions(page)
  if (session === undefined) throw new Error('No session was kept.')
  return session
}

/** Verifies a session as a server does. */
function proofOf(
  { message, signature, data }: StoredSession,
  urls: Urls,
  domain = new URL(urls.web).host,
): Promise<SignInProof> {
  return verifySignIn({ message, signature }, { nonce: data.nonce, domain, now: Date.now() })
}

test.describe('site that requests a sign-in', () => {
  test.beforeEach(({ extension }) => void extension)

  test('sign-in is verified by the server and kept after a reload [R1.3] [R2.2.8] [R4.3.1]', async ({
    page,
    urls,
    extension,
  }) => {
    await openSignIn(page, urls, 'required')
    await sign(page)
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    const session = await getFirstStoredSession(page)
    const account = `eip155:31337:${userAddress}`
    expect(await proofOf(session, urls)).toMatchObject({ valid: true, account, chainId: 'eip155:31337' })
    expect(await proofOf(session, urls, 'evil.example')).toEqual({ valid: false, reason: 'wrong-domain' })

    const before = extension.requests.filter(({ method }) => method === 'personal_sign').length
    expect(before).toBe(1)
    await page.reload()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(await listStoredSessions(page)).toEqual([session])
  })

  test('required sign-in can not be dismissed, and cancelling it disconnects [R2.2.6] [R2.2.8]', async ({
    page,
    urls,
  }) => {
    await openSignIn(page, urls, 'required')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(connectButton(page)).toHaveText('Connect')
    expect(await listStoredSessions(page)).toEqual([])
  })

  test(
    'rejected sign-in shows an error and can be retried [R4.3.2] [R8.2.12]',
    { tag: '@variant' },
    async ({ page, urls, extension }) => {
      await openSignIn(page, urls, 'required')
      await extension.rejectNext()
      await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
      await expect(page.getByText('Signature declined').first()).toBeVisible()
      await sign(page)
      expect(await listStoredSessions(page)).toHaveLength(1)
    },
  )

  test(
    'skipped optional sign-in stays connected and is requested again on another network [R2.2.8]',
    { tag: '@variant' },
    async ({ page, urls, extension }) => {
      await openSignIn(page, urls, 'optional')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(connectButton(page)).toContainText('0xf3…b92266')
      await extension.setChain(31338)
      await expect(
        page
          .getByRole('dialog')
          .getByText(/· Latchkey Second/)
          .last(),
      ).toBeVisible()
      await sign(page)
      const session = await getFirstStoredSession(page)
      expect(await proofOf(session, urls)).toMatchObject({ valid: true, chainId: 'eip155:31338' })
    },
  )

  test('disconnecting removes the session', { tag: '@variant' }, async ({ page, urls }) => {
    await openSignIn(page, urls, 'required')
    await sign(page)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect.poll(() => listStoredSessions(page)).toEqual([])
  })
})

/** The first keys of the recovery phrase that all development chains share, in wallets of the other namespaces. */
const others = {
  solana: async (page: Page, urls: Urls): Promise<void> => {
    await installSimulatedSolanaWallet(page, {
      privateKeys: ['a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72'],
      rpcUrls: { 'solana:localnet': urls.solana ?? '' },
      info: { name: 'Test Wallet' },
    })
  },
  bip122: async (page: Page, urls: Urls & { bitcoin?: string }): Promise<void> => {
    await installSimulatedBitcoinWallet(page, {
      privateKeys: ['b5c8b4acf7b66682afbc5eef20c3b12998ba3c14a97047c9187454377f1a7856'],
      chain: 'regtest',
      sources: { regtest: urls.bitcoin ?? '' },
      faces: ['standard'],
      name: 'Test Wallet',
    })
  },
  polkadot: async (page: Page): Promise<void> => {
    await installSimulatedPolkadotExtension(page, {
      accounts: [{ seed: '708dbd3d916c59cdade9649479d3721b586dc777cf733b6fb5798eaacbdb0bf7', name: 'Everyday' }],
      name: 'Test Wallet',
    })
  },
}

for (const [namespace, install] of Object.entries(others)) {
  const tag = namespace === 'solana' ? [] : '@extended'
  test(`sign-in with a ${namespace} wallet is verified by the server [R4.3.1]`, { tag }, async ({ page, urls }) => {
    await install(page, urls)
    await openSignIn(page, urls, 'required', 'Test Wallet')
    await sign(page)
    const session = await getFirstStoredSession(page)
    const proof = await proofOf(session, urls)
    expect(proof).toMatchObject({ valid: true, account: expect.stringMatching(new RegExp(`^${namespace}:`)) })
  })
}
