import { verifySignIn, type SignInProof } from '@latchkey/verify'
import type { Page } from '@playwright/test'
import { connectButton, expect, openModal, test, visitorAddress, type Urls } from './fixtures.ts'

type Kept = { data: { nonce: string }; message: string; signature: string }

/** Opens the site that asks for a sign-in, and connects up to the question. */
async function asked(page: Page, urls: Urls, choice: 'required' | 'optional'): Promise<void> {
  await page.goto(`${urls.web}/account?sign-in=${choice}`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /Test Extension/ }).click()
  await expect(page.getByText(`${new URL(urls.web).host} asks you to sign in`)).toBeVisible()
}

async function sign(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

function kept(page: Page): Promise<Kept[]> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('@latchkey/siwx') ?? '[]') as Kept[])
}

async function firstKept(page: Page): Promise<Kept> {
  const [session] = await kept(page)
  if (session === undefined) throw new Error('No session was kept.')
  return session
}

/** What a server makes of a session. */
function proofOf(
  { message, signature, data }: Kept,
  urls: Urls,
  domain = new URL(urls.web).host,
): Promise<SignInProof> {
  return verifySignIn({ message, signature }, { nonce: data.nonce, domain, now: Date.now() })
}

test.describe('a visitor of a site that asks to sign in', () => {
  test.beforeEach(({ extension }) => void extension)

  test('signs what a server can prove, and is signed in after a reload [R1.3] [R2.2.8] [R4.3.1]', async ({
    page,
    urls,
    extension,
  }) => {
    await asked(page, urls, 'required')
    await sign(page)
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    const session = await firstKept(page)
    const account = `eip155:31337:${visitorAddress}`
    expect(await proofOf(session, urls)).toMatchObject({ valid: true, account, chainId: 'eip155:31337' })
    expect(await proofOf(session, urls, 'evil.example')).toEqual({ valid: false, reason: 'wrong-domain' })

    const before = extension.requests.filter(({ method }) => method === 'personal_sign').length
    expect(before).toBe(1)
    await page.reload()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(await kept(page)).toEqual([session])
  })

  test('cannot get past the question, and is disconnected by cancelling it [R2.2.6] [R2.2.8]', async ({
    page,
    urls,
  }) => {
    await asked(page, urls, 'required')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(connectButton(page)).toHaveText('Connect')
    expect(await kept(page)).toEqual([])
  })

  test('who declines is told so, and can try again [R4.3.2] [R8.2.12]', async ({ page, urls, extension }) => {
    await asked(page, urls, 'required')
    await extension.rejectNext()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
    await expect(page.getByText('Signature declined').first()).toBeVisible()
    await sign(page)
    expect(await kept(page)).toHaveLength(1)
  })

  test('who may skip it stays connected, and is asked again on another network [R2.2.8]', async ({
    page,
    urls,
    extension,
  }) => {
    await asked(page, urls, 'optional')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(connectButton(page)).toContainText('0xf3…b92266')
    await extension.setChain(31338)
    await expect(page.getByRole('dialog').getByText(/· Latchkey Second/).last()).toBeVisible()
    await sign(page)
    const session = await firstKept(page)
    expect(await proofOf(session, urls)).toMatchObject({ valid: true, chainId: 'eip155:31338' })
  })

  test('leaves no session behind', async ({ page, urls }) => {
    await asked(page, urls, 'required')
    await sign(page)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect.poll(() => kept(page)).toEqual([])
  })
})
