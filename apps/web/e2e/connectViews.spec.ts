import { installSimulatedSolanaWallet } from '@latchkey/testkit/playwright'
import type { Locator, Page, WebSocketRoute } from '@playwright/test'
import { connectButton, expect, openModal, test, type Urls } from './support/fixtures.ts'
import { approve } from './support/phoneWallet.ts'
import { solanaKey } from './support/views.ts'

test.describe('connect views with keyboard and screen reader', () => {
  test.beforeEach(async ({ page, urls, extension }) => {
    void extension
    await page.goto(`${urls.web}/account`)
  })

  test('connecting after a rejection reaches the account, and disconnecting returns focus to the button', async ({
    page,
    extension,
  }) => {
    await connectButton(page).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Connect wallet":
        - button "What is a wallet?"
        - heading "Connect wallet" [level=1]
        - button "Close"
        - alert
        - list:
          - listitem:
            - button "WalletConnect QR code"
          - listitem:
            - button "Test Extension Installed"
          - listitem:
            - button "Latchkey Developer Wallet"
          - listitem:
            - button /All wallets \\d+\\+/
        - paragraph: or
        - textbox "Email address"
        - button "Continue with Google"
        - button "Continue with X"
        - button "Continue with Discord"
        - button "Continue with Farcaster"
        - button "Continue with GitHub"
        - button "More logins"
        - status
    `)
    expect(await getFocusedName(page)).toBe('heading Connect wallet')

    extension.rejectNext()
    expect(await tabTo(page, 'button Test Extension Installed')).toEqual([
      'button Close',
      'button WalletConnect QR code',
      'button Test Extension Installed',
    ])
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Test Extension":
        - button "Back"
        - heading "Test Extension" [level=1]
        - button "Close"
        - alert
        - alert:
          - paragraph: Request rejected
          - paragraph: Nothing was shared. Try again and approve it in Test Extension.
        - button "Try again"
        - status
    `)
    expect(await getFocusedName(page)).toBe('heading Test Extension')

    extension.neverRespondNext()
    await tabTo(page, 'button Try again')
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Test Extension":
        - button "Back"
        - heading "Test Extension" [level=1]
        - button "Close"
        - alert
        - status:
          - paragraph: Approve in Test Extension
          - paragraph: The wallet asks whether this app may see your address.
        - status
    `)
    await tabTo(page, 'button Back', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveAccessibleName('Connect wallet')
    await tabTo(page, 'button Test Extension Installed')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(connectButton(page)).toBeFocused()
    await expect(connectButton(page)).toHaveAccessibleName(/0xf3…b92266/)
  })

  test('wallet introduction leads to the store of a wallet', async ({ page }) => {
    const dialog = await openModal(page)
    await tabTo(page, 'button What is a wallet?', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "What is a wallet?":
        - button "Back"
        - heading "What is a wallet?" [level=1]
        - button "Close"
        - alert
        - list:
          - listitem:
            - heading "One login for everything" [level=2]
            - paragraph
          - listitem:
            - heading "A home for what you own" [level=2]
            - paragraph
          - listitem:
            - heading "You stay in control" [level=2]
            - paragraph
        - button "Get a wallet"
        - status
    `)
    await tabTo(page, 'button Get a wallet')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveAccessibleName('Get a wallet')
    await tabTo(page, 'button MetaMask')
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Get MetaMask":
        - heading "Get MetaMask" [level=1]
        - status:
          - paragraph: Choose where to install it
          - paragraph: Set up MetaMask, then come back and connect.
        - list:
          - listitem:
            - link "Browser extension opens a new tab":
              - /url: https://chromewebstore.google.com/detail/metamask/nkbihfbeogaeaoehlefnkodbefgpgknn
          - listitem:
            - link "iPhone and iPad opens a new tab"
          - listitem:
            - link "Android opens a new tab"
          - listitem:
            - link "Website opens a new tab"
    `)
    for (const name of ['Get a wallet', 'What is a wallet?', 'Connect wallet']) {
      await tabTo(page, 'button Back', 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveAccessibleName(name)
    }
    await page.keyboard.press('Escape')
    await expect(connectButton(page)).toBeFocused()
  })

  test('All wallets leads to the QR code of a wallet', async ({ page }) => {
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: /All wallets/ }).click()
    await expect(dialog.getByText(/^\d+ wallets$/)).toBeAttached()
    await tabTo(page, 'searchbox Search wallets')
    await page.keyboard.type('rainbow')
    await expect(dialog.getByText('1 wallet', { exact: true })).toBeAttached()
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "All wallets":
        - searchbox "Search wallets": rainbow
        - button "Clear the search"
        - status: 1 wallet
        - list:
          - listitem:
            - button "Rainbow"
    `)
    await tabTo(page, 'button Rainbow')
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Rainbow":
        - heading "Rainbow" [level=1]
        - figure:
          - img "QR code to scan with Rainbow"
        - status: Scan with Rainbow on your phone
        - button "Copy link"
        - paragraph:
          - text: No Rainbow yet?
          - button "Get it"
    `)
  })
})

test('wallet with two chain families is one row, offers a choice and connects in both', async ({
  page,
  urls,
  extension,
}) => {
  void extension
  const dialog = await chooseTwoFamilyWallet(page, urls)
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "Select network":
      - heading "Select network" [level=1]
      - status:
        - paragraph: On which network do you want to use Test Extension?
        - paragraph: The wallet and this app both support these networks.
      - list:
        - listitem:
          - button "Ethereum"
        - listitem:
          - button "Solana"
        - listitem:
          - button "All networks The wallet asks once per network"
  `)
  await dialog.getByRole('button', { name: 'Solana' }).click()
  await expect(dialog).toBeHidden()
  const chains = page.getByRole('region', { name: 'Chains' })
  const family = (name: string): Locator => familyOf(page, name)
  await expect(family('Solana')).toContainText('Test Extension · oeYf')
  await expect(family('Ethereum')).toContainText('disconnected')
  await chains.getByRole('button', { name: 'Connect Ethereum' }).click()
  // The page named the chain, so there is no second choice.
  await dialog.getByRole('button', { name: 'Test Extension' }).click()
  await expect(family('Ethereum')).toContainText('Test Extension · 0xf3')
  await expect(family('Solana')).toContainText('Test Extension · oeYf')
})

test(
  'all chains of a wallet are connected one after the other',
  { tag: '@variant' },
  async ({ page, urls, extension }) => {
    void extension
    const dialog = await chooseTwoFamilyWallet(page, urls)
    await dialog.getByRole('button', { name: 'All networks' }).click()
    await expect(familyOf(page, 'Ethereum')).toContainText('Test Extension · 0xf3')
    await expect(familyOf(page, 'Solana')).toContainText('Test Extension · oeYf')
  },
)

/** Opens the modal and chooses an extension that announces itself for Ethereum and for Solana. */
async function chooseTwoFamilyWallet(page: Page, urls: Urls): Promise<Locator> {
  await installSimulatedSolanaWallet(page, {
    privateKeys: [solanaKey],
    rpcUrls: { 'solana:localnet': urls.solana ?? '' },
    info: { name: 'Test Extension' },
  })
  await page.goto(`${urls.web}/account`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Test Extension' }).click()
  return dialog
}

function familyOf(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'Chains' }).getByRole('listitem').filter({ hasText: name })
}

test('the playground’s stage is as high as the modal in it', { tag: '@variant' }, async ({ page, urls }) => {
  await page.goto(`${urls.web}/playground`)
  const stage = page.locator('.playground-stage')
  const modal = stage.locator('latchkey-modal')
  await expect(modal.getByRole('button', { name: /WalletConnect/ })).toBeVisible()
  const heightOf = async (locator: typeof stage) => (await locator.boundingBox())?.height ?? 0
  await expect.poll(async () => (await heightOf(stage)) - (await heightOf(modal))).toBeGreaterThanOrEqual(0)
})

test(
  'playground options update the modal and the code immediately',
  { tag: '@variant' },
  async ({ page, urls, extension }) => {
    void extension
    await page.goto(`${urls.web}/playground`)
    const modal = page.locator('.playground-stage latchkey-modal')
    const code = page.getByRole('figure').getByLabel('This configuration')
    await expect(modal.getByRole('button', { name: /Test Extension/ })).toBeVisible()
    await page.getByText('Dark', { exact: true }).click()
    await expect(modal).toHaveAttribute('data-theme', 'dark')
    await expect(code).toContainText('theme="dark"')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
    await expect(modal.getByRole('heading', { name: 'Wallet verbinden' })).toBeVisible()
    await page.getByText('Wallets', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Hidden wallets, by name' }).fill('test extension')
    await expect(modal.getByRole('button', { name: /Test Extension/ })).toBeHidden()
    await expect(code).toContainText("excludeWallets: ['test extension']")
    await page.getByText('Terms', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Terms and privacy policy' }).check()
    await expect(modal.getByRole('link', { name: 'Nutzungsbedingungen' })).toBeVisible()
    await page.getByRole('checkbox', { name: 'Require consent by checkbox' }).check()
    await expect(modal.getByRole('checkbox', { name: /Nutzungsbedingungen/ })).toBeVisible()
  },
)

test.describe('connect views on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  })

  test(
    'tapping a wallet opens its universal link immediately without further requests',
    { tag: '@chromium' },
    async ({ page, urls }) => {
      await page.goto(`${urls.web}/account`)
      const dialog = await openModal(page)
      await dialog.getByRole('button', { name: 'MetaMask' }).tap()
      const link = dialog.getByRole('link', { name: 'Open MetaMask' })
      await expect(link).toHaveAttribute('href', /^https:\/\/metamask\.app\.link\/wc\?uri=wc%3A[0-9a-f]{64}%402/)
      // The browser follows the link in the task of the tap, unless a handler prevents it. None does.
      const followed = await link.evaluate(
        (anchor: HTMLAnchorElement) =>
          new Promise<string>((resolve) => {
            // Runs after the modal's own handlers, which listen here too.
            anchor.getRootNode().addEventListener(
              'click',
              (event) => {
                resolve(event.defaultPrevented ? 'prevented' : anchor.href)
                event.preventDefault()
              },
              { once: true },
            )
            anchor.click()
          }),
      )
      expect(followed).toMatch(/^https:\/\/metamask\.app\.link\/wc\?uri=/)
      await expect(dialog.getByText('Waiting for your approval')).toBeVisible()
      await dialog.getByRole('button', { name: 'Get it' }).tap()
      await expect(dialog.getByRole('listitem')).toHaveText([/^iPhone and iPad/, /^Website/])
    },
  )

  test(
    'approval sent while the page is suspended without a socket connects when the page resumes',
    { tag: '@variant' },
    async ({ page, urls }) => {
      let asleep = false
      const sockets = new Set<WebSocketRoute>()
      await page.routeWebSocket(`${urls.relay}**`, (socket) => {
        if (asleep) return void socket.close()
        socket.connectToServer()
        sockets.add(socket)
      })
      await page.goto(`${urls.web}/account`)
      const dialog = await openModal(page)
      await dialog.getByRole('button', { name: 'Latchkey Developer Wallet' }).tap()
      const link = dialog.getByRole('link', { name: 'Open Latchkey Developer Wallet' })
      await expect(link).toHaveAttribute('href', /wc\?uri=/)
      const [wallet] = await Promise.all([page.context().waitForEvent('page'), link.tap()])
      await expect(wallet.getByRole('dialog').getByRole('button', { name: 'Approve' })).toBeVisible()
      asleep = true
      await showAs(page, 'hidden')
      for (const socket of sockets) await socket.close()
      await approve(wallet)
      await expect(wallet.getByRole('dialog')).toBeHidden()
      asleep = false
      await showAs(page, 'visible')
      await expect(dialog).toBeHidden()
      await expect(connectButton(page)).toContainText('0x')
    },
  )
})

/** Emulates a page that becomes hidden or visible. A headless browser never changes this. */
async function showAs(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

/** Returns the accessible description of the focused element. */
async function getFocusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    if (element === null) return ''
    const roles: { [tag: string]: string } = { H1: 'heading', BUTTON: 'button', A: 'link', INPUT: 'searchbox' }
    const texts = [...element.querySelectorAll('.name, .tag, .hidden')].map(({ textContent }) => textContent)
    const text = texts.length > 0 ? texts.join(' ') : element.textContent
    return `${roles[element.tagName] ?? element.tagName} ${element.getAttribute('aria-label') ?? text}`
  })
}

/** Presses the Tab key until an element has the focus. Fails after one round through the dialog. */
async function tabTo(page: Page, wanted: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string[]> {
  const passed: string[] = []
  for (let step = 0; step < 40 && passed.at(-1) !== wanted; step += 1) {
    await page.keyboard.press(key)
    passed.push(await getFocusedName(page))
  }
  expect(passed.at(-1)).toBe(wanted)
  return passed
}
