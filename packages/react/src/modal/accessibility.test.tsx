import { connect } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeLogin, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { pushView, type ViewEntry } from '@latchkey/modal'
import { pseudo } from '@latchkey/modal/testing'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { StringOverrides } from '../messages/strings.ts'
import { waitForAnimations, modalRoot, renderModal } from '../testing/renderModal.tsx'
import { fakeServer, walletList } from '../testing/fakeServer.ts'

type ViewCase = { name: string; entry: ViewEntry; connected: boolean; german: string; login?: boolean }

const wallet = {
  id: 'w',
  name: 'Pocket',
  image_id: '',
  chains: [],
  mobile_link: 'pocket:',
  webapp_link: 'https://a.invalid',
}

/** A browser wallet that is not installed here. */
const extension = {
  id: 'x',
  name: 'Shelf',
  image_id: '',
  chains: [],
  chrome_store: 'https://chrome.invalid',
  homepage: 'https://shelf.invalid',
}

const situations: readonly ViewCase[] = [
  { name: 'Connect', entry: { view: 'Connect', params: {} }, connected: false, german: 'Wallet verbinden' },
  { name: 'AllWallets', entry: { view: 'AllWallets', params: {} }, connected: false, german: 'Alle Wallets' },
  {
    name: 'ConnectingExternal',
    entry: { view: 'ConnectingExternal', params: { connectorId: 'slow' } },
    connected: false,
    german: 'Slow Wallet',
  },
  {
    name: 'ConnectingExternal, declined',
    entry: { view: 'ConnectingExternal', params: { connectorId: 'no' } },
    connected: false,
    german: 'No Wallet',
  },
  {
    name: 'ConnectingWalletConnect',
    entry: { view: 'ConnectingWalletConnect', params: { wallet } },
    connected: false,
    german: 'Pocket',
  },
  {
    name: 'ConnectingWalletConnectBasic',
    entry: { view: 'ConnectingWalletConnectBasic', params: {} },
    connected: false,
    german: 'WalletConnect',
  },
  {
    name: 'ConnectingWalletConnect, missing',
    entry: { view: 'ConnectingWalletConnect', params: { wallet: extension } },
    connected: false,
    german: 'Shelf',
  },
  {
    name: 'ConnectWallets',
    entry: { view: 'ConnectWallets', params: {} },
    connected: false,
    german: 'Wallet verbinden',
  },
  {
    name: 'ConnectingMultiChain',
    entry: { view: 'ConnectingMultiChain', params: { connectorIds: ['fake'] } },
    connected: false,
    german: 'Netzwerk wählen',
  },
  { name: 'GetWallet', entry: { view: 'GetWallet', params: {} }, connected: false, german: 'Wallet holen' },
  {
    name: 'Downloads',
    entry: { view: 'Downloads', params: { wallet: extension } },
    connected: false,
    german: 'Shelf holen',
  },
  {
    name: 'WhatIsAWallet',
    entry: { view: 'WhatIsAWallet', params: {} },
    connected: false,
    german: 'Was ist eine Wallet?',
  },
  {
    name: 'WhatIsANetwork',
    entry: { view: 'WhatIsANetwork', params: {} },
    connected: false,
    german: 'Was ist ein Netzwerk?',
  },
  { name: 'Account', entry: { view: 'Account', params: {} }, connected: true, german: 'Konto' },
  {
    name: 'Transaction',
    entry: { view: 'Transaction', params: { chainId: 'eip155:1', hash: '0x1' } },
    connected: true,
    german: 'Transaktion',
  },
  { name: 'Transactions', entry: { view: 'Transactions', params: {} }, connected: true, german: 'Aktivität' },
  {
    name: 'AccountSettings',
    entry: { view: 'AccountSettings', params: {} },
    connected: true,
    german: 'Kontoeinstellungen',
  },
  { name: 'ProfileWallets', entry: { view: 'ProfileWallets', params: {} }, connected: true, german: 'Wallets' },
  {
    name: 'SwitchActiveChain',
    entry: { view: 'SwitchActiveChain', params: { namespace: 'solana' } },
    connected: true,
    german: 'Netzwerk wechseln',
  },
  { name: 'Networks', entry: { view: 'Networks', params: {} }, connected: true, german: 'Netzwerk wählen' },
  {
    name: 'SIWXSignMessage',
    entry: { view: 'SIWXSignMessage', params: {} },
    connected: true,
    german: 'Anmelden',
  },
  {
    name: 'UnsupportedChain',
    entry: { view: 'UnsupportedChain', params: {} },
    connected: true,
    german: 'Netzwerk wechseln',
  },
  { name: 'ChooseAccountName', entry: { view: 'ChooseAccountName', params: {} }, connected: true, german: 'Dein Name' },
  {
    name: 'RegisterAccountName',
    entry: { view: 'RegisterAccountName', params: {} },
    connected: true,
    german: 'Name wählen',
  },
  {
    name: 'RegisterAccountNameSuccess',
    entry: { view: 'RegisterAccountNameSuccess', params: {} },
    connected: true,
    german: 'Der Name gehört dir',
  },
  {
    name: 'Connect, with logins',
    entry: { view: 'Connect', params: {} },
    connected: false,
    login: true,
    german: 'Wallet verbinden',
  },
  {
    name: 'EmailLogin',
    entry: { view: 'EmailLogin', params: {} },
    connected: false,
    login: true,
    german: 'E-Mail-Anmeldung',
  },
  {
    name: 'EmailVerifyDevice',
    entry: { view: 'EmailVerifyDevice', params: { email: 'a@mail.example', match: '42' } },
    connected: false,
    login: true,
    german: 'Gerät registrieren',
  },
  {
    name: 'EmailVerifyOtp',
    entry: { view: 'EmailVerifyOtp', params: { email: 'a@mail.example' } },
    connected: false,
    login: true,
    german: 'E-Mail bestätigen',
  },
  {
    name: 'ConnectSocials',
    entry: { view: 'ConnectSocials', params: {} },
    connected: false,
    login: true,
    german: 'Alle sozialen Konten',
  },
  {
    name: 'ConnectingSocial',
    entry: { view: 'ConnectingSocial', params: { provider: 'github' } },
    connected: false,
    login: true,
    german: 'GitHub',
  },
  {
    name: 'ConnectingFarcaster',
    entry: { view: 'ConnectingFarcaster', params: {} },
    connected: false,
    login: true,
    german: 'Farcaster',
  },
  {
    name: 'AccountSettings, with a login',
    entry: { view: 'AccountSettings', params: {} },
    connected: true,
    login: true,
    german: 'Kontoeinstellungen',
  },
  {
    name: 'UpdateEmail',
    entry: { view: 'UpdateEmail', params: {} },
    connected: true,
    login: true,
    german: 'E-Mail ändern',
  },
  {
    name: 'UpdateEmailPrimaryOtp',
    entry: { view: 'UpdateEmailPrimaryOtp', params: { newEmail: 'b@mail.example' } },
    connected: true,
    login: true,
    german: 'Bisherige E-Mail bestätigen',
  },
  {
    name: 'UpdateEmailSecondaryOtp',
    entry: { view: 'UpdateEmailSecondaryOtp', params: { newEmail: 'b@mail.example' } },
    connected: true,
    login: true,
    german: 'Neue E-Mail bestätigen',
  },
]

function createWorld(hasLogin: boolean): FakeWorld {
  const { url, projectId } = fakeServer({ wallets: walletList(6), zones: ['latchkey.test'] })
  const login = fakeLogin({ user: { email: 'a@mail.example' }, accountType: 'eoa' })
  const uris = [`wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}`]
  const connectors = [
    fakeConnector({ id: 'walletConnect', type: 'walletConnect', name: 'WalletConnect', uris, neverResponds: true }),
    fakeConnector({
      approvedChains: ['eip155:1'],
      accounts: [0, 1, 2].map((index) => fakeAccount('eip155:1', index)),
      details: (account) => ({ type: account.endsWith('e') ? 'eoa' : 'smartAccount' }),
    }),
    fakeConnector({ id: 'second', name: 'Second Wallet' }),
    fakeConnector({ id: 'slow', name: 'Slow Wallet', neverResponds: true }),
    fakeConnector({ id: 'no', name: 'No Wallet', rejectWith: new Error('no') }),
    ...(hasLogin ? [fakeConnector({ id: 'login', name: 'Fake Wallet', type: 'embedded', login })] : []),
  ]
  return fakeWorld({
    adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })],
    multiWallet: true,
    connectors,
    server: url,
    projectId,
    legal: { termsUrl: 'https://app.invalid/terms', privacyUrl: 'https://app.invalid/privacy' },
    features: { legalCheckbox: true },
  })
}

async function renderViewCase(
  { entry, connected, login = false }: ViewCase,
  look: { theme?: 'light' | 'dark'; locale?: string; strings?: StringOverrides },
): Promise<void> {
  const { latchkey } = createWorld(login)
  if (connected) {
    await connect(latchkey, 'second')
    const account = await connect(latchkey, login ? 'login' : 'fake')
    if (entry.view === 'SIWXSignMessage')
      latchkey.signIn.setState({ status: 'unsigned', account, required: false }, true)
  }
  await renderModal(latchkey, { view: 'Networks', params: {} }, look)
  pushView(latchkey, entry)
  await expect
    .poll(() => modalRoot().querySelectorAll(`.pane:not([data-view=${entry.view}]), .skeleton, .login-room`).length)
    .toBe(0)
  await waitForAnimations()
}

beforeEach(() => page.viewport(1024, 768))

/** Returns the violations that axe finds in the modal. */
async function listPageViolations(): Promise<unknown> {
  const { violations: found } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // The page around it is the test's, not an app's.
    rules: {
      region: { enabled: false },
      'landmark-one-main': { enabled: false },
      'html-has-lang': { enabled: false },
    },
  })
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const options = theme === 'dark' ? { tags: 'browsers' as const } : {}

  test.each(situations)(
    '$name has no violations that axe can find, in either direction',
    options,
    async (situation) => {
      await renderViewCase(situation, { theme })
      expect(await listPageViolations()).toEqual([])
      modalRoot().host.setAttribute('dir', 'rtl')
      expect(await listPageViolations()).toEqual([])
    },
  )
})

test.each(situations)('$name is titled in German', { tags: 'browsers' }, async (situation) => {
  await renderViewCase(situation, { locale: 'de' })
  expect(modalRoot().querySelector('#title')).toHaveTextContent(situation.german)
})

/** The names in the fixtures. All other texts are ours, and must be translated. */
const names =
  /^(Pocket|Shelf|(Fake|Slow|No|Second) Wallet|WalletConnect|Wallet \d|Network \d|Fake \w+|COIN|Unknown .*|0x.*|[ab]@mail\.example|Google|GitHub|Farcaster|Discord|\.latchkey\.test|Jan 1, 2025, .*|\P{L}*|.)$/u

/** Returns our texts that are not translated, and those that are cut off. */
function faultsOf(card: Element): readonly string[] {
  const faults: string[] = []
  const elements = [...card.querySelectorAll<HTMLElement>('*')]
  for (const element of elements) {
    const labels = ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? '')
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    const own = texts.map((node) => node.textContent ?? '').join('')
    const foreign = [...labels, own].map((text) => text.trim()).filter((text) => !/^\[.*\]$/su.test(text))
    faults.push(...foreign.filter((text) => !names.test(text)).map((text) => `not translated: ${text}`))
    const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible'
    if (isCut && element.textContent?.includes('[') === true && element.closest('.hidden') === null) {
      faults.push(`cut off: ${element.textContent}`)
    }
  }
  return faults
}

test.each(situations)(
  '$name fits texts that are 40 % longer, and has no untranslated text',
  { tags: 'browsers' },
  async (situation) => {
    await page.viewport(390, 844)
    await renderViewCase(situation, { strings: pseudo })
    const card = modalRoot().querySelector('.card')
    expect(card === null ? ['there is no card'] : faultsOf(card)).toEqual([])
  },
)

test.each(situations)(
  '$name fits a screen of 320 by 480, and every control is 44 pixels high',
  { tags: 'browsers' },
  async (situation) => {
    await page.viewport(320, 480)
    await renderViewCase(situation, {})
    const root = modalRoot()
    const tooWide = [...root.querySelectorAll('.card *')].filter(
      (element) => element.getBoundingClientRect().right > 320.5,
    )
    // A link inside a sentence is as high as its line.
    const small = [...root.querySelectorAll('button, a:not(p a, label a)')].filter(
      (element) => element.getBoundingClientRect().height < 44,
    )
    expect([tooWide.map(({ className }) => className), small.map(({ textContent }) => textContent)]).toEqual([[], []])
    expect(root.querySelector('.card')?.getBoundingClientRect().top).toBeGreaterThanOrEqual(0)
  },
)

describe('under a strict content policy', () => {
  const complaints: string[] = []
  const complain = ({ violatedDirective, sample }: SecurityPolicyViolationEvent): void =>
    void complaints.push(`${violatedDirective} ${sample}`)

  beforeEach(() => {
    const policy = document.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    policy.content = "style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    document.head.append(policy)
    document.addEventListener('securitypolicyviolation', complain)
  })

  afterEach(() => document.removeEventListener('securitypolicyviolation', complain))

  test.each(situations)('$name is drawn and styled without a violation', { tags: 'browsers' }, async (situation) => {
    await renderViewCase(situation, {})
    expect(complaints).toEqual([])
    expect(getComputedStyle(modalRoot().querySelector('.card') ?? document.body).borderRadius).toBe('24px')
  })

  test('the policy is in force', async () => {
    const element = document.createElement('p')
    element.setAttribute('style', 'color: red')
    await expect.poll(() => complaints.some((complaint) => complaint.startsWith('style-src-attr'))).toBe(true)
  })
})
