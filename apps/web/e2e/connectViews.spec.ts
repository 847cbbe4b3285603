import type { Page } from '@playwright/test'
import { connectButton, expect, openModal, test } from './fixtures.ts'

test.describe('connecting, as a keyboard does it and a screen reader tells it', () => {
  test.beforeEach(async ({ page, urls, extension }) => {
    void extension
    await page.goto(`${urls.web}/account`)
  })

  test('from the button to the account and back to the button, with a decline on the way', async ({
    page,
    extension,
  }) => {
    await connectButton(page).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Connect Wallet":
        - button "What is a wallet?"
        - heading "Connect Wallet" [level=1]
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
            - button "MetaMask"
          - listitem:
            - button "Trust Wallet"
          - listitem:
            - button /All wallets \\d+\\+/
        - status
    `)
    expect(await focused(page)).toBe('heading Connect Wallet')

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
          - paragraph: Request declined
          - paragraph: Nothing was shared. Try again and approve it in Test Extension.
        - button "Try again"
        - status
    `)
    expect(await focused(page)).toBe('heading Test Extension')

    extension.neverAnswerNext()
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
          - paragraph: The wallet asks whether this site may see your address.
        - status
    `)
    await tabTo(page, 'button Back', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveAccessibleName('Connect Wallet')
    await tabTo(page, 'button Test Extension Installed')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(connectButton(page)).toBeFocused()
    await expect(connectButton(page)).toHaveAccessibleName(/0xf3…b92266/)
  })

  test('from the question what a wallet is to the store that has one', async ({ page }) => {
    const dialog = await openModal(page)
    await tabTo(page, 'button What is a wallet?', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "What is a Wallet?":
        - button "Back"
        - heading "What is a Wallet?" [level=1]
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
            - heading "The key to new places" [level=2]
            - paragraph
        - button "Get a wallet"
        - status
    `)
    await tabTo(page, 'button Get a wallet')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveAccessibleName('Get a Wallet')
    await tabTo(page, 'button MetaMask')
    await page.keyboard.press('Enter')
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Get MetaMask":
        - heading "Get MetaMask" [level=1]
        - status:
          - paragraph: Where do you want it?
          - paragraph: Set MetaMask up, then come back here and connect.
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
    for (const name of ['Get a Wallet', 'What is a Wallet?', 'Connect Wallet']) {
      await tabTo(page, 'button Back', 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveAccessibleName(name)
    }
    await page.keyboard.press('Escape')
    await expect(connectButton(page)).toBeFocused()
  })

  test('from all wallets to the code of one of them', async ({ page }) => {
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: /All wallets/ }).click()
    await expect(dialog.getByText(/^\d+ wallets$/)).toBeAttached()
    await tabTo(page, 'searchbox Search wallets')
    await page.keyboard.type('rainbow')
    await expect(dialog.getByText('1 wallet', { exact: true })).toBeAttached()
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "All Wallets":
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

/** What a screen reader says of the element that has the focus. */
async function focused(page: Page): Promise<string> {
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

/** Presses the Tab key until an element has the focus; gives up after a round through the whole dialog. */
async function tabTo(page: Page, wanted: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string[]> {
  const passed: string[] = []
  for (let step = 0; step < 40 && passed.at(-1) !== wanted; step += 1) {
    await page.keyboard.press(key)
    passed.push(await focused(page))
  }
  expect(passed.at(-1)).toBe(wanted)
  return passed
}
