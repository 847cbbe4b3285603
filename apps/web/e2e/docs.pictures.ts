import type { Page } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { expect, openModal, test } from './support/fixtures.ts'
import { moreViews, views } from './support/views.ts'
import { animateWebp, encodeWebp, type Frame } from './support/webp.ts'

// Not a test: takes the pictures of the documentation. `npm run gallery -- --docs` runs it.
const folder = new URL('../../../docs/pictures/', import.meta.url).pathname
const shown = [
  'Connect',
  'AllWallets',
  'ConnectingWalletConnect',
  'SIWXSignMessage',
  'Account',
  'Account, activity',
  'Networks',
  'WalletSendPreview',
  'Swap',
  'SwapPreview',
]

// A busy machine takes long.
test.setTimeout(120_000)

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ viewport: { width: 480, height: 760 }, colorScheme, deviceScaleFactor: 2 })
    test.use({ contextOptions: { reducedMotion: 'reduce' } })

    for (const { name, show } of [...views, ...moreViews].filter((view) => shown.includes(view.name))) {
      test(name, async ({ page, context, urls, extension }) => {
        await show({ page, urls, extension })
        // An open account keeps a stream of its changes, so its page is never idle.
        await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
        const picture = await page.screenshot()
        const file = `${name.replaceAll(/\W+/g, '-').toLowerCase()}-${colorScheme}.webp`
        writeFileSync(folder + file, await encodeWebp(await context.newPage(), picture, 0.8))
      })
    }
  })
}

test.describe('recording', () => {
  test.use({ viewport: { width: 720, height: 720 }, colorScheme: 'dark' })

  test('connecting a wallet', async ({ page, context, urls, extension }) => {
    const pause = (milliseconds: number): Promise<void> => page.waitForTimeout(milliseconds)
    await page.goto(`${urls.web}/account`)
    await page.waitForLoadState('networkidle')
    const frames = await record(page, async () => {
      await pause(1_000)
      const dialog = await openModal(page)
      await pause(2_500)
      await dialog.getByRole('button', { name: /Test Extension/ }).click()
      await expect(page.getByRole('heading', { name: 'Test Extension', level: 2 })).toBeVisible()
      await pause(2_000)
      await openModal(page)
      await expect(dialog.getByText('LUSD').first()).toBeVisible()
      await pause(2_500)
      await dialog.getByRole('tab', { name: 'Activity' }).click()
      await pause(2_500)
      await dialog.getByRole('button', { name: 'Receive' }).first().click()
      await pause(3_000)
    })
    expect(extension.requests.length).toBeGreaterThan(0)
    writeFileSync(`${folder}connecting.webp`, await animateWebp(await context.newPage(), frames, 0.6))
  })
})

/** Records what the page shows during some steps. A picture stays until the page changes. */
async function record(page: Page, steps: () => Promise<void>): Promise<readonly Frame[]> {
  const pictures: { picture: Buffer; at: number }[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    pictures.push({ picture: Buffer.from(data, 'base64'), at: performance.now() })
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 90, everyNthFrame: 2 })
  await steps()
  await session.send('Page.stopScreencast')
  const end = performance.now()
  return pictures.map(({ picture, at }, index) => ({
    picture,
    milliseconds: (pictures[index + 1]?.at ?? end) - at,
  }))
}
