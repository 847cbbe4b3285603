import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createStage } from '../screens/stage/createStage.ts'
import type { OpenWindow } from '../screens/stage/stageContext.ts'
import { windowMessages } from '../screens/stage/windowScreen.ts'
import type { WatchVisibility } from '../screens/stage/watchVisibility.ts'
import { listAxeViolations } from '../testing/renderScreen.ts'
import '../screens/frame.css'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { approvalScreen } from './approvalScreen.ts'
import type { ApprovalFacts } from './approvalFacts.ts'

const facts: ApprovalFacts = {
  action: 'send',
  origin: 'https://shop.example.com',
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  network: { chainId: 'eip155:1', name: 'Local' },
  banners: [],
  sections: [
    {
      rows: [
        { label: 'to', value: { kind: 'address', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
        { label: 'amount', value: { kind: 'amount', amount: { units: 1_500_000n, decimals: 6, symbol: 'U\u202eSD' } } },
      ],
    },
    { title: 'raw', isFolded: true, rows: [{ label: 'data', value: { kind: 'code', text: '0x12' } }] },
  ],
  changes: { kind: 'known', list: [{ units: -1_500_000n, decimals: 6, symbol: 'USD' }] },
  fee: { units: 21_000n, decimals: 9, symbol: 'ETH' },
}

beforeEach(() => page.viewport(400, 700))
afterEach(() => document.body.replaceChildren())

/** A manual proof of visibility. */
function fakeVisibility() {
  let emitted: (isSeen: boolean) => void = () => {}
  const watch: WatchVisibility = (_, tell) => {
    emitted = tell
    return () => (emitted = () => {})
  }
  return { watch, seen: (isSeen: boolean) => emitted(isSeen) }
}

/** A manual clock. */
function fakeScheduler() {
  let due: Array<() => void> = []
  return {
    later(act: () => void) {
      due.push(act)
      return () => (due = due.filter((each) => each !== act))
    },
    pass() {
      for (const act of due.splice(0)) act()
    },
  }
}

function setUp(options: { watch?: WatchVisibility; open?: OpenWindow } = {}) {
  const root = document.createElement('main')
  root.className = 'stage'
  document.body.append(root)
  const emitted: object[] = []
  const [visibility, clock] = [fakeVisibility(), fakeScheduler()]
  const stage = createStage({
    root,
    emit: (news) => void emitted.push(news),
    messages: () => englishMessages,
    origin: location.origin,
    later: clock.later,
    watch: visibility.watch,
    ...options,
  })
  return { root, stage, emitted, clock, visibility }
}

const approve = () => page.getByRole('button', { name: 'Approve' })
const reject = () => page.getByRole('button', { name: 'Reject' })
const isEnabled = (): boolean => approve().element().getAttribute('aria-disabled') === 'false'

/** Grants visibility and time. A pointer of an earlier test may restart the time. */
async function arm({ visibility, clock }: Pick<ReturnType<typeof setUp>, 'visibility' | 'clock'>): Promise<void> {
  await expect.element(approve()).toBeVisible()
  visibility.seen(true)
  await expect
    .poll(() => {
      clock.pass()
      return isEnabled()
    })
    .toBe(true)
}

const createApprovalScreen = (more: Partial<ApprovalFacts> = {}) =>
  approvalScreen({ ...facts, ...more }, englishMessages)

test('the screen shows page, action and fee, and marks hidden characters [G-05]', async () => {
  const { root, stage, emitted } = setUp()
  void stage.show(createApprovalScreen())
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Send')
  expect(root.querySelector('.origin')?.textContent).toBe('https://shop.example.com')
  expect(root.querySelector('.origin strong')?.textContent).toBe('example.com')
  expect(root.textContent).toContain('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  expect(root.textContent).toContain('1.5 UU+202ESD')
  expect(root.textContent).toContain('0.000021 ETH')
  expect(emitted).toEqual([{ open: true, height: expect.any(Number) }])
})

const assets = [{ asset: 'eip155:1', network: 'Local', symbol: 'ETH', decimals: 18 }]

test.each([
  ['daily', 'It exceeds your daily limit.', ['Daily limit', 'Spent today']],
  ['single', 'It exceeds your limit per request.', ['Limit per request']],
  ['receiver', 'It pays or approves an address that is not one of your known receivers.', []],
] as const)('the screen names the rule %s and its figures before Approve works [L-01]', async (rule, text, labels) => {
  const { root, stage } = setUp()
  const limits = rule === 'receiver' ? [] : [{ asset: 'eip155:1', units: 10n ** 18n }]
  const spent = rule === 'daily' ? [{ asset: 'eip155:1', units: 4n * 10n ** 17n }] : []
  void stage.show(createApprovalScreen({ limit: { rule, limits, spent, assets } }))
  const notice = page.getByRole('alert')
  await expect.element(notice).toHaveTextContent('Another device must also approve this')
  await expect.element(notice).toHaveTextContent(text)
  expect([...(root.querySelector('.banner')?.querySelectorAll('dt') ?? [])].map((label) => label.textContent)).toEqual(
    labels,
  )
  if (rule !== 'receiver') await expect.element(notice).toHaveTextContent('1 ETH')
  if (rule === 'daily') await expect.element(notice).toHaveTextContent('0.4 ETH')
  expect(document.activeElement?.textContent).not.toBe('Reject')
})

test('the screen requests the height of its content, independent of the current height', async () => {
  // A scrollbar that appears would change the width, and with it the height of the content.
  document.documentElement.style.scrollbarGutter = 'stable'
  onTestFinished(() => void document.documentElement.style.removeProperty('scrollbar-gutter'))
  const { root, stage, emitted } = setUp()
  void stage.show(createApprovalScreen())
  await expect.poll(() => emitted.length).toBe(1)
  for (const height of ['900px', '300px', '584px']) {
    root.style.blockSize = height
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
  expect(emitted).toHaveLength(1)
  // An unfolded section is higher.
  await userEvent.click(page.getByText('Raw data'))
  await expect.poll(() => emitted.length).toBe(2)
})

test('the screen never requests a height below the minimum', async () => {
  const { stage, emitted } = setUp()
  void stage.show(createApprovalScreen({ sections: [], changes: undefined }))
  await expect.poll(() => emitted).toEqual([{ open: true, height: 480 }])
})

test('Approve works after half a second of visibility, and for real clicks only [I-10]', async () => {
  const { stage, clock, visibility } = setUp()
  let response: unknown = 'none'
  void stage.show(createApprovalScreen()).then((given) => (response = given))
  await expect.element(approve()).toHaveAttribute('aria-disabled', 'true')
  visibility.seen(true)
  await expect.element(approve()).toHaveAttribute('aria-disabled', 'true')
  clock.pass()
  await expect.element(approve()).toHaveAttribute('aria-disabled', 'false')
  // A scripted click.
  approve()
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))
  expect(response).toBe('none')
  await userEvent.hover(approve())
  await arm({ visibility, clock })
  await userEvent.click(approve())
  await expect.poll(() => response).toBe('approved')
})

test('Approve stops working when the screen is covered or the user leaves [I-09]', async () => {
  const { stage, clock, visibility } = setUp()
  void stage.show(createApprovalScreen())
  await arm({ visibility, clock })
  visibility.seen(false)
  await expect.element(approve()).toHaveAttribute('aria-disabled', 'true')
  await arm({ visibility, clock })
  window.dispatchEvent(new Event('blur'))
  clock.pass()
  await expect.element(approve()).toHaveAttribute('aria-disabled', 'true')
  window.dispatchEvent(new Event('focus'))
  await arm({ visibility, clock })
})

test('Approve stops working when the content changes [I-10]', async () => {
  const { root, stage, clock, visibility } = setUp()
  void stage.show(createApprovalScreen())
  await arm({ visibility, clock })
  root.querySelector('.address')?.replaceChildren('0x0')
  await expect.element(approve()).toHaveAttribute('aria-disabled', 'true')
})

test('a key held down before approves nothing [I-10]', async () => {
  const { stage, clock, visibility } = setUp()
  let result: unknown = 'none'
  void stage.show(createApprovalScreen()).then((given) => (result = given))
  await arm({ visibility, clock })
  const button = approve().element()
  const held = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, repeat: true })
  button.dispatchEvent(held)
  expect(held.defaultPrevented).toBe(true)
  expect(result).toBe('none')
  // A pointer of an earlier test would restart the time.
  await userEvent.hover(approve())
  await arm({ visibility, clock })
  if (button instanceof HTMLElement) button.focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => result).toBe('approved')
})

test('Escape, Reject and the page’s abort reject the request [I-12]', async () => {
  const { stage, emitted } = setUp()
  const first = stage.show(createApprovalScreen())
  await expect.element(reject()).toBeEnabled()
  await userEvent.keyboard('{Escape}')
  expect(await first).toBeUndefined()
  const second = stage.show(createApprovalScreen())
  await userEvent.click(reject())
  expect(await second).toBe('rejected')
  const abort = new AbortController()
  const third = stage.show(createApprovalScreen(), { signal: abort.signal })
  await expect.element(reject()).toBeEnabled()
  abort.abort()
  expect(await third).toBeUndefined()
  expect(emitted.at(-1)).toEqual({ open: false })
  expect(document.querySelector('main')?.childElementCount).toBe(0)
})

test('the stage shows one screen at a time and hides the frame after the last [I-12]', async () => {
  const { stage, emitted } = setUp()
  const abort = new AbortController()
  const first = stage.show(createApprovalScreen())
  const given = stage.show(createApprovalScreen({ action: 'message' }), { signal: abort.signal })
  const last = stage.show(createApprovalScreen({ action: 'signIn' }))
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Send')
  abort.abort()
  await userEvent.click(reject())
  expect(await first).toBe('rejected')
  expect(await given).toBeUndefined()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in')
  expect(emitted).not.toContainEqual({ open: false })
  await userEvent.click(reject())
  expect(await last).toBe('rejected')
  expect(emitted.at(-1)).toEqual({ open: false })
})

test('a warning moves the focus to Reject [I-16]', async () => {
  const { stage } = setUp()
  const banners = [{ kind: 'unlimited' }, { kind: 'foreignDomain', domain: 'bank.example' }] as const
  const shown = stage.show(createApprovalScreen({ banners }))
  await expect.element(reject()).toHaveFocus()
  await expect.element(page.getByText('No limit to what it may spend')).toBeVisible()
  await expect.element(page.getByText(/signs you in at bank\.example/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(await shown).toBe('rejected')
})

test('changes of balances and allowances are sentences in one list [I-17]', async () => {
  const { root, stage } = setUp()
  const spender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const asset = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const usdc = { decimals: 6, symbol: 'USDC' }
  const changes = {
    kind: 'known',
    list: [
      { ...usdc, units: -100_000_000n, asset },
      { units: 10n ** 18n, decimals: 18, symbol: 'E\u202eTH' },
    ],
    allowances: [
      { kind: 'unlimited', spender, asset, symbol: 'USDC' },
      { kind: 'amount', spender, asset, symbol: 'USDC', amount: { ...usdc, units: 5_000_000n } },
      { kind: 'everything', spender, asset },
      { kind: 'none', spender, asset, symbol: 'USDC' },
    ],
  } as const
  void stage.show(
    createApprovalScreen({ action: 'allow', banners: [{ kind: 'unlimited' }, { kind: 'poorTrade' }], changes }),
  )
  await expect.element(page.getByText('No limit to what it may spend')).toBeVisible()
  expect([...root.querySelectorAll('.change-list li')].map((each) => each.textContent.trim())).toEqual([
    'You send 100 USDC',
    'You receive 1 EU+202ETH',
    `${spender} can then spend unlimited USDC`,
    `${spender} can then spend 5 USDC`,
    `${spender} can then move everything in ${asset}`,
    `${spender} can no longer spend USDC`,
  ])
})

test('strings and numbers of a lying network are shown as text, and fit the screen [P-12]', async () => {
  const { root, stage } = setUp()
  const reason = '<img src=x onerror="document.title=1"><button>Approve</button>'
  const symbol = '<script>alert(1)</script>'
  const changes = { kind: 'known', list: [{ units: -(2n ** 256n), decimals: 0, symbol }] } as const
  const fee = { units: 2n ** 512n, decimals: 18, symbol: 'ETH' }
  void stage.show(createApprovalScreen({ banners: [{ kind: 'fails', reason }], changes, fee }))
  await expect.element(page.getByText('This transaction would fail')).toBeVisible()
  expect(root.querySelectorAll('img, script')).toHaveLength(0)
  expect(page.getByRole('button', { name: 'Approve' }).elements()).toHaveLength(1)
  expect(root.textContent).toContain(reason)
  expect(root.textContent).toContain(symbol)
  expect(root.scrollWidth).toBeLessThanOrEqual(root.clientWidth)
})

test('an unsupported request can only be closed [I-16]', async () => {
  const { stage } = setUp()
  const shown = stage.show(
    createApprovalScreen({ action: 'delegate', banners: [{ kind: 'delegation' }], isRefused: true }),
  )
  expect(approve().elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Close' }))
  expect(await shown).toBe('rejected')
})

test('without a proof of visibility the screen opens in a window: blocked, opened, decided [I-11]', async () => {
  const channel: MessagePort[] = []
  const fake = {
    closed: false,
    close: () => void (fake.closed = true),
    focus: () => {},
    postMessage: (message: unknown, _origin: unknown, transfer?: unknown) => {
      expect(message).toMatchObject({ type: windowMessages.show, drawing: 'approval', facts: { action: 'send' } })
      if (Array.isArray(transfer) && transfer[0] instanceof MessagePort) channel.push(transfer[0])
    },
  }
  let isBlocked = true
  const opened: string[] = []
  const open: OpenWindow = (url) => {
    opened.push(url)
    // Only its identity and these four members are used.
    return isBlocked ? null : (fake as never)
  }
  const { stage } = setUp({ watch: () => undefined, open })
  const shown = stage.show(createApprovalScreen())
  await userEvent.click(page.getByRole('button', { name: 'Open the window' }))
  await expect.element(page.getByText(/blocked the window/)).toBeVisible()
  isBlocked = false
  await userEvent.click(page.getByRole('button', { name: 'Open the window' }))
  await expect.element(page.getByText('Respond in the window that opened.')).toBeVisible()
  expect(opened).toEqual([`${location.origin}/popup`, `${location.origin}/popup`])
  // The same message from another window is ignored.
  window.dispatchEvent(
    new MessageEvent('message', { source: window, origin: location.origin, data: windowMessages.ready }),
  )
  expect(channel).toEqual([])
  await expect.element(reject()).toBeEnabled()
  await userEvent.click(reject())
  expect(await shown).toBeUndefined()
  expect(fake.closed).toBe(true)
})

test('closing the window rejects the request once [I-11]', async () => {
  const fake = { closed: false, close: () => {}, focus: () => {}, postMessage: () => {} }
  const { stage, clock } = setUp({ watch: () => undefined, open: () => fake as never })
  let decisions = 0
  const shown = stage.show(createApprovalScreen()).then((reply) => {
    decisions += 1
    return reply
  })
  await userEvent.click(page.getByRole('button', { name: 'Open the window' }))
  clock.pass()
  expect(decisions).toBe(0)
  fake.closed = true
  clock.pass()
  clock.pass()
  expect(await shown).toBeUndefined()
  expect(decisions).toBe(1)
})

test.each(['light', 'dark'] as const)('has no axe violations in the %s theme', async (theme) => {
  document.documentElement.dataset['theme'] = theme
  const { root, stage, clock, visibility } = setUp()
  void stage.show(createApprovalScreen({ banners: [{ kind: 'lookAlike', address: '0x1', known: '0x2' }], waiting: 1 }))
  expect(await listAxeViolations(root)).toEqual([])
  await arm({ visibility, clock })
  expect(await listAxeViolations(root)).toEqual([])
  delete document.documentElement.dataset['theme']
})
